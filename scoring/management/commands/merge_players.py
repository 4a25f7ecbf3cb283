from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from scoring.management.decisions import DecisionCommand
from scoring.moderation.merging import Keep, merge_players


def kept_event(text: str) -> tuple[tuple[str, str], Keep]:
    """`quiz/match-7=into`: whose event counts in a match that both played."""
    match, _, keep = text.rpartition("=")
    leaderboard, slash, match_id = match.partition("/")
    if not slash or keep not in list(Keep):
        raise ArgumentTypeError(f"{text!r} is not like quiz/match-7=into or quiz/match-7=from")
    return (leaderboard, match_id), Keep(keep)


class Command(DecisionCommand):
    help = "Make one account part of another."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("player_id", help="the account that is given up")
        parser.add_argument("into", help="the account that stays")
        parser.add_argument("--keep", type=Keep, choices=list(Keep), help="whose event counts where both played")
        parser.add_argument(
            "--keep-in", type=kept_event, nargs="*", default=[], metavar="LEADERBOARD/MATCH=from|into", help="likewise"
        )
        parser.add_argument("--reopen", action="store_true", help="also in closed periods")

    def handle(
        self,
        *,
        player_id: str,
        into: str,
        keep: Keep | None,
        keep_in: list[tuple[tuple[str, str], Keep]],
        reopen: bool,
        **options: Any,
    ) -> None:
        self.correct(
            lambda decision: merge_players(player_id, into, decision, keep=keep, keep_in=dict(keep_in), reopen=reopen),
            options,
        )
