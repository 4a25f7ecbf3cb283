from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from scoring.errors import LeaderboardNotFound
from scoring.rules import get_rules


class Command(BaseCommand):
    help = "List a leaderboard's seasons, oldest first: label, start, end; the current one with a star."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("leaderboard")

    def handle(self, *, leaderboard: str, **_: Any) -> None:
        try:
            rules = get_rules(leaderboard)
        except LeaderboardNotFound as error:
            raise CommandError(error.detail) from None
        now = timezone.now()
        for season in rules.seasons:
            starts = season.starts_at.isoformat(timespec="seconds") if season.starts_at else ""
            ends = season.ends_at.isoformat(timespec="seconds") if season.ends_at else "open"
            self.stdout.write(f"{'*' if season.holds(now) else ' '} {season.label:<32} {starts}  {ends}")
