from argparse import ArgumentParser
from typing import Any

from scoring.management.decisions import DecisionCommand
from scoring.moderation.flagging import flag_player


class Command(DecisionCommand):
    help = "Take a player off all boards; scores go on being recorded."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("player_id")

    def handle(self, *, player_id: str, **options: Any) -> None:
        self.correct(lambda decision: flag_player(player_id, decision), options)
