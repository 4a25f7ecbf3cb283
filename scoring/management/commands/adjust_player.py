from argparse import ArgumentParser
from datetime import datetime
from decimal import Decimal
from typing import Any

from scoring.management.arguments import instant, points
from scoring.management.decisions import DecisionCommand
from scoring.moderation.adjusting import adjust
from scoring.rules import get_rules


class Command(DecisionCommand):
    help = "Add points to a player's totals, or take some."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("leaderboard")
        parser.add_argument("player_id")
        parser.add_argument("--points", type=points, required=True, help="such as -20 for a penalty")
        parser.add_argument("--occurred", type=instant, help="in the periods of which moment; default: now")
        parser.add_argument("--reopen", action="store_true", help="also closed periods")

    def handle(
        self,
        *,
        leaderboard: str,
        player_id: str,
        points: Decimal,
        occurred: datetime | None,
        reopen: bool,
        **options: Any,
    ) -> None:
        self.correct(
            lambda decision: adjust(
                get_rules(leaderboard), player_id, points, decision, occurred_at=occurred, reopen=reopen
            ),
            options,
        )
