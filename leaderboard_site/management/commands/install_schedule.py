"""``manage.py install_schedule``: after ``migrate``, at every deploy."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from leaderboard_site.schedule import install_schedule


class Command(BaseCommand):
    help = "Install the periodic tasks; what an operator changed in the admin stays."

    def handle(self, *args: Any, **options: Any) -> None:
        done = install_schedule(settings.PERIODIC_TASKS)
        for what, names in vars(done).items():
            if names:
                self.stdout.write(f"periodic tasks {what}: {', '.join(names)}")
