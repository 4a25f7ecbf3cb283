from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from scoring.management.arguments import names, points
from scoring.models import Leaderboard
from scoring.ranking import Operator, Order, Ties
from scoring.setup import create_leaderboard, describe_problems


class Command(BaseCommand):
    help = "Create a leaderboard: a named ranking with its rules."

    def add_arguments(self, parser: ArgumentParser) -> None:
        default = Leaderboard()
        parser.add_argument("slug")
        parser.add_argument("--name", default=default.name, help="what people read")
        parser.add_argument("--operator", default=default.operator, choices=[*Operator])
        parser.add_argument("--order", default=default.order, choices=[*Order])
        parser.add_argument("--ties", default=default.ties, choices=[*Ties])
        parser.add_argument(
            "--periods", dest="period_kinds", type=names, default=default.period_kinds, help="day,week,month,season,all"
        )
        parser.add_argument("--scopes", type=names, default=[], help="segments that get boards: city,country")
        parser.add_argument("--timezone", default=default.timezone, help="IANA name, such as Asia/Kolkata")
        parser.add_argument("--day-starts-at-hour", type=int, default=default.day_starts_at_hour)
        parser.add_argument("--scale", type=int, default=default.scale, help="decimals of points, 0 to 6")
        parser.add_argument("--min-points", type=points, default=default.min_points, help="the least in one event")
        parser.add_argument("--max-points", type=points, default=default.max_points, help="the most in one event")
        parser.add_argument("--min-total", type=points, default=default.min_total, help="the least a total can be")
        parser.add_argument("--max-total", type=points, default=default.max_total, help="the most a total can be")
        parser.add_argument("--grace-seconds", type=int, default=default.grace_seconds, help="for late events")
        parser.add_argument("--private", action="store_true", help="reads need a key")
        parser.add_argument(
            "--show-previous-rank", action="store_true", help="entries say the rank of the newest snapshot"
        )

    def handle(self, *, slug: str, private: bool, **options: Any) -> None:
        definition = {name: value for name, value in options.items() if hasattr(Leaderboard, name)}
        try:
            create_leaderboard(slug, is_public=not private, **definition)
        except ValidationError as error:
            raise CommandError(describe_problems(error)) from None
        self.stdout.write(f"created {slug}")
