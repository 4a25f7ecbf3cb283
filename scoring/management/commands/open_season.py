from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from scoring.management.arguments import instant
from scoring.models import Leaderboard
from scoring.setup import describe_problems, open_season


class Command(BaseCommand):
    help = "Open a season of a leaderboard."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("leaderboard")
        parser.add_argument("label", help="such as s42; the middle of the board ids")
        parser.add_argument("--starts", type=instant, help="default: now")
        parser.add_argument("--ends", type=instant, help="the first instant after it; default: open")

    def handle(self, *, leaderboard: str, label: str, starts: datetime | None, ends: datetime | None, **_: Any) -> None:
        try:
            open_season(leaderboard, label, starts or timezone.now(), ends)
        except Leaderboard.DoesNotExist:
            raise CommandError(f"there is no leaderboard {leaderboard!r}") from None
        except ValidationError as error:
            raise CommandError(describe_problems(error)) from None
        self.stdout.write(f"opened {leaderboard}:{label}")
