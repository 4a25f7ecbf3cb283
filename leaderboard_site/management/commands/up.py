"""``manage.py up``: the whole site on this machine, until Ctrl-C. What `make run` runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from leaderboard_site.embedded.errors import DataDirectoryInUse, ServiceFailed
from leaderboard_site.supervisor import StopRequested, stop_on_signals
from leaderboard_site.up import CannotStart, Options, run_site


class Command(BaseCommand):
    help = "Start PostgreSQL, Redis, web, workers, beat and a demo quiz; Ctrl-C stops all of it."
    # The database is not there yet.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        environment = settings.ENVIRONMENT
        parser.add_argument("--host", default=environment.host, help="default: %(default)s")
        parser.add_argument("--port", type=int, default=environment.port, help="default: %(default)s")
        parser.add_argument("--data-dir", type=Path, default=settings.DATA_DIRECTORY)
        parser.add_argument("--no-demo", action="store_true", help="no demo leaderboard, key and quiz")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = Options(
            host=options["host"],
            port=options["port"],
            data_directory=options["data_dir"].expanduser().resolve(),
            has_demo=not options["no_demo"],
        )
        stop_on_signals()
        try:
            code = run_site(wanted, settings.ENVIRONMENT, self._show)
        except StopRequested:
            self._show("stopped")
            return
        except (CannotStart, DataDirectoryInUse, ServiceFailed) as error:
            raise SystemExit(str(error)) from None
        raise SystemExit(code)

    def _show(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
