"""``manage.py take_snapshot``: one line a leaderboard."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from rebuilds.snapshots import SnapshotUnderWay, take_snapshot
from scoring.ledger_locks import LedgerBusy
from scoring.models import Leaderboard


class Command(BaseCommand):
    help = "Keep the standings of a leaderboard's open periods, while scores arrive. Exit code 1 if it is not possible now."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("leaderboard", nargs="*")
        parser.add_argument("--all", action="store_true", help="of every leaderboard")

    def handle(self, *, leaderboard: list[str], **options: Any) -> None:
        if bool(leaderboard) == options["all"]:
            raise CommandError("name leaderboards, or --all")
        leaderboards = Leaderboard.objects.order_by("slug")
        if leaderboard:
            leaderboards = leaderboards.filter(slug__in=leaderboard)
            if unknown := set(leaderboard) - {one.slug for one in leaderboards}:
                raise CommandError(f"there is no leaderboard {min(unknown)!r}")
        for one in leaderboards:
            try:
                snapshot = take_snapshot(one, timezone.now)
            except (SnapshotUnderWay, LedgerBusy) as error:
                raise CommandError(f"{one}: {error}") from None
            if snapshot is not None:
                self.stdout.write(
                    f"{one}: {snapshot}, up to {snapshot.accept_no}, {snapshot.entry_count} totals of up to"
                    f" {snapshot.player_count} players, {snapshot.seconds:.1f} s, scores waited {snapshot.held_ms:.1f} ms"
                )
