from argparse import ArgumentParser
from typing import Any

from scoring.management.decisions import DecisionCommand
from scoring.moderation.voiding import void_match
from scoring.rules import get_rules


class Command(DecisionCommand):
    help = "Let a match no longer count, for one player or for all who played it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("leaderboard")
        parser.add_argument("match_id")
        who = parser.add_mutually_exclusive_group(required=True)
        who.add_argument("--player", help="for this player alone")
        who.add_argument("--all", action="store_true", help="for all who played it; large ones go on in the background")
        parser.add_argument("--reopen", action="store_true", help="also in closed periods")

    def handle(self, *, leaderboard: str, match_id: str, player: str | None, reopen: bool, **options: Any) -> None:
        self.correct(
            lambda decision: void_match(get_rules(leaderboard), match_id, decision, player_id=player, reopen=reopen),
            options,
        )
