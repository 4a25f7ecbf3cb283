from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from scoring.management.arguments import instant
from scoring.models import Leaderboard, Period
from scoring.setup import close_season, describe_problems


class Command(BaseCommand):
    help = "Let a season end."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("leaderboard")
        parser.add_argument("label")
        parser.add_argument("--at", type=instant, help="the first instant after it; default: now")

    def handle(self, *, leaderboard: str, label: str, at: datetime | None, **_: Any) -> None:
        try:
            season = close_season(leaderboard, label, at or timezone.now())
        except Leaderboard.DoesNotExist:
            raise CommandError(f"there is no leaderboard {leaderboard!r}") from None
        except Period.DoesNotExist:
            raise CommandError(f"{leaderboard} has no season {label!r}") from None
        except ValidationError as error:
            raise CommandError(describe_problems(error)) from None
        self.stdout.write(f"{leaderboard}:{label} ends at {season.ends_at:%Y-%m-%dT%H:%M:%S%z}")
