from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from scoring.management.arguments import names
from scoring.setup import create_api_key, describe_problems


class Command(BaseCommand):
    help = "Create an API key and print it, once, alone on stdout."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--scopes", type=names, required=True, help="of submit,read,moderate,ops")
        parser.add_argument("--leaderboards", type=names, default=[], help="default: all")

    def handle(self, *, name: str, scopes: list[str], leaderboards: list[str], **_: Any) -> None:
        try:
            key = create_api_key(name, scopes, leaderboards)
        except ValidationError as error:
            raise CommandError(describe_problems(error)) from None
        self.stdout.write(key)
