import json
from argparse import ArgumentParser
from typing import Any

from scoring.management.decisions import DecisionCommand
from scoring.moderation.erasing import erase_player


class Command(DecisionCommand):
    help = "Forget the person behind a player's id, for good. Prints the proof as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("player_id")

    def handle(self, *, player_id: str, **options: Any) -> None:
        corrected = self.correct(lambda decision: erase_player(player_id, decision), options)
        self.stdout.write(json.dumps(corrected.correction.erasure.proof))
