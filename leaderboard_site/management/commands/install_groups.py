"""``manage.py install_groups``: after ``migrate``, at every deploy."""

from typing import Any

from django.core.management.base import BaseCommand

from leaderboard_site.groups import install_groups


class Command(BaseCommand):
    help = "Install the admin's groups (reviewer, operator, read-only) with their permissions; members stay."

    def handle(self, *args: Any, **options: Any) -> None:
        created = install_groups()
        if created:
            self.stdout.write(f"groups created: {', '.join(created)}")
