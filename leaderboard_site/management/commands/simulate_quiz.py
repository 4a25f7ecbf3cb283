"""``manage.py simulate_quiz``: a quiz night against the HTTP API, as game servers and apps would play it."""

import asyncio
import math
import random
import re
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from leaderboard_site.embedded import places
from leaderboard_site.simulation.cities import CITIES
from leaderboard_site.simulation.contract import Refused
from leaderboard_site.simulation.measures import Tally
from leaderboard_site.simulation.persistence import NoAnswer
from leaderboard_site.simulation.players import Population
from leaderboard_site.simulation.quiz import Quiz
from leaderboard_site.simulation.report import night_table
from leaderboard_site.simulation.show import new_match_prefix, play_demo, play_night
from leaderboard_site.simulation.sums import await_outbox, read_sums

DRAIN_SECONDS = 60.0
GIVE_UP_SECONDS = 60.0
DEMO = {"players": 300, "seconds": 10.0, "servers": 2, "readers": 20}
"""Small enough that a laptop does not notice."""


class Command(BaseCommand):
    help = "Play a quiz night against the HTTP API; compares ledger, totals and board at the end."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, default=300_000)
        parser.add_argument("--questions", type=int, default=12)
        parser.add_argument("--seconds", type=float, default=15.0, help="time to answer a question")
        parser.add_argument(
            "--cities",
            default=",".join(CITIES),
            help="codes with commas between, the largest first; default: %(default)s",
        )
        parser.add_argument(
            "--url", default=f"http://127.0.0.1:{settings.ENVIRONMENT.port}", help="default: %(default)s"
        )
        parser.add_argument("--key", help="API key with the scopes submit and read; default: the demo's")
        parser.add_argument(
            "--key-file", type=Path, default=places.demo_key_file(settings.DATA_DIRECTORY), help="default: %(default)s"
        )
        parser.add_argument("--leaderboard", default="quiz")
        parser.add_argument("--servers", type=int, default=4, help="game servers")
        parser.add_argument("--batch", type=int, default=500, help="most answers that a game server sends at once")
        parser.add_argument(
            "--readers", type=int, default=1_000, help="how many players read their rank after a question"
        )
        parser.add_argument("--seed", type=int, help="for the same night again (all but the match ids)")
        parser.add_argument(
            "--demo",
            action="store_true",
            help="a small quiz without end; players, seconds, servers, readers are its own",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["demo"]:
            options |= DEMO
        quiz = _quiz(options)
        try:
            if options["demo"]:
                asyncio.run(play_demo(quiz, self._show))
            else:
                self._play(quiz)
        except (Refused, NoAnswer) as error:
            raise CommandError(str(error)) from None
        except ExceptionGroup as group:
            raise CommandError(_reason(group)) from None
        except KeyboardInterrupt:
            raise SystemExit(130) from None

    def _play(self, quiz: Quiz) -> None:
        console = Console()
        match_prefix, tally = new_match_prefix(), Tally()
        board = asyncio.run(play_night(quiz, match_prefix, tally, console))
        is_drained = await_outbox(DRAIN_SECONDS)
        sums = read_sums(quiz, board, match_prefix)
        console.print(night_table(match_prefix, tally, sums))
        if not is_drained:
            raise CommandError(f"the outbox was not empty after {DRAIN_SECONDS:g} seconds")
        if not sums.agree:
            raise CommandError(f"ledger, totals and {board.id} differ")

    def _show(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _quiz(options: dict[str, Any]) -> Quiz:
    """Raises CommandError for what can't be played."""
    for name in ("players", "questions", "servers", "batch"):
        if options[name] < 1:
            raise CommandError(f"--{name} must be at least 1")
    if not 0 < options["seconds"] < math.inf or options["readers"] < 0:
        raise CommandError("--seconds must be above 0, and --readers not below")
    cities = options["cities"].split(",")
    if not all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", city) for city in cities):
        raise CommandError("--cities takes codes of letters, digits, _ and - with commas between")
    return Quiz(
        url=options["url"],
        key=options["key"] or _read_key(options["key_file"]),
        leaderboard=options["leaderboard"],
        # Of its own, so that a night can be played, and its points compared, while the demo goes on.
        people=Population(options["players"], cities, prefix="demo" if options["demo"] else "p"),
        questions=options["questions"],
        seconds=options["seconds"],
        servers=options["servers"],
        batch_size=options["batch"],
        readers=options["readers"],
        seed=random.SystemRandom().getrandbits(32) if options["seed"] is None else options["seed"],
        give_up_seconds=math.inf if options["demo"] else GIVE_UP_SECONDS,
    )


def _read_key(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        raise CommandError(f"give an API key with --key: there is none in {file}") from None


def _reason(group: ExceptionGroup[Exception]) -> str:
    """Why a night of many tasks had to stop; one anticipated error stands for all. Others are raised again."""
    _, unknown = group.split((Refused, NoAnswer))
    if unknown is not None:
        raise group
    first: Exception = group
    while isinstance(first, ExceptionGroup):
        first = first.exceptions[0]
    return str(first)
