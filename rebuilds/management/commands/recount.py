"""``manage.py recount``: JSON lines on stdout, words on stderr."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from rebuilds.recounting import Fixer, load_periods, recount
from scoring.errors import LeaderboardError
from scoring.moderation.decisions import Decision
from scoring.rules import get_rules

REASON = "recount: the total was not the fold of the ledger"


class Command(BaseCommand):
    help = (
        "Compare totals with the ledger, also while scores arrive. Exit code 1 if one differs, or can't be put right."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("leaderboard")
        parser.add_argument("--period", action="append", default=[], help="such as s42 or day:2026-10-19; default: all")
        parser.add_argument("--fix", action="store_true", help="make them the fold of the ledger, as a correction")
        parser.add_argument("--reason", default=REASON, help="kept with the correction; default: %(default)s")
        parser.add_argument("--after", type=int, default=0, help="take a recount up after this player's primary key")

    def handle(self, *, leaderboard: str, period: list[str], fix: bool, reason: str, after: int, **_: Any) -> None:
        try:
            rules = get_rules(leaderboard)
            periods = load_periods(rules, period)
            fixer = Fixer(rules, periods, Decision("manage.py recount", reason, timezone.now()), timezone.now)
            found = fixed = 0
            for portion in recount(rules, periods, after):
                for miscount in portion.miscounts:
                    self.stdout.write(json.dumps({"leaderboard": leaderboard, **miscount._asdict()}, default=float))
                found += len(portion.miscounts)
                after = portion.last
                if fix:
                    fixed += fixer.fix(portion.miscounts)
        except (LeaderboardError, ValueError) as error:
            raise CommandError(f"{error}; to go on behind them: --after {after}" if after else str(error)) from None
        except KeyboardInterrupt:
            raise CommandError(f"interrupted; --after {after} takes it up") from None
        self.stderr.write(f"{leaderboard}: {found} totals were not the fold of the ledger, {fixed} were put right")
        if found > fixed:
            raise CommandError(f"{found - fixed} totals differ from the ledger")
