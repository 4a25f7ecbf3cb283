"""``manage.py prepare_site``: what must be there before the programs of `up` start. May be repeated."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from leaderboard_site import demo
from leaderboard_site.embedded import places
from leaderboard_site.up import read_or_make_secret

ADMIN_NAME = "admin"


class Command(BaseCommand):
    help = "Migrate, install schedule and groups, collect the admin's files, create admin and demo (used by `up`)."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--address", required=True, help="where the site will answer, for the hints")
        parser.add_argument("--no-demo", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        call_command("install_schedule", stdout=self.stdout)
        call_command("install_groups", stdout=self.stdout)
        call_command("collectstatic", verbosity=0, interactive=False)
        address = options["address"]
        self.stdout.write(f"API    {address}/v1/docs")
        self.stdout.write(f"admin  {address}/admin/  {self._admin_login()}")
        if not options["no_demo"]:
            key = demo.create_demo(places.demo_key_file(settings.DATA_DIRECTORY), timezone.now())
            self.stdout.write(f"key    {key}")
            self.stdout.write("")
            self.stdout.write(
                f"curl -X POST {address}/v1/scores -H 'Authorization: Api-Key {key}'"
                " -H 'Content-Type: application/json'"
                """ -d '{"player_id": "you", "match_id": "first", "points": 10, "segments": {"city": "hyd"}}'"""
            )
            self.stdout.write(f"curl '{address}/v1/leaderboards/{demo.SLUG}:season:global/players/you?around=2'")
            self.stdout.write("")

    def _admin_login(self) -> str:
        """Create the first admin, with a password kept in the data directory; a changed one is not touched."""
        user_model = get_user_model()
        file = places.admin_password_file(settings.DATA_DIRECTORY)
        if not user_model.objects.filter(is_superuser=True).exists():
            user_model.objects.create_superuser(ADMIN_NAME, password=read_or_make_secret(file))
        if not file.is_file():
            return "(the admin was created elsewhere)"
        return f"{ADMIN_NAME} / {file.read_text().strip()}"
