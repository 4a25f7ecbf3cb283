"""``manage.py rebuild_board``: in this process, beside the workers or without them."""

from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Self

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeRemainingColumn

from rebuilds.driving import drive
from rebuilds.jobs import ask_rebuild, cancel, load_request
from rebuilds.management.boards import add_board_arguments, chosen_boards
from rebuilds.models import BoardJob
from scoring.errors import LeaderboardError


class Command(BaseCommand):
    help = "Rebuild boards from the totals, while they are read and written. Ctrl-C cancels; exit code 1 if one fails."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_board_arguments(parser)

    def handle(self, *, boards: Sequence[str], leaderboard: str | None, every: bool, **_: Any) -> None:
        now = timezone.now()
        try:
            request = ask_rebuild(chosen_boards(boards, leaderboard, every, now), "rebuild_board", now)
        except LeaderboardError as error:
            raise CommandError(error.detail) from None
        claim = timedelta(seconds=settings.REBUILD_CLAIM_SECONDS)
        try:
            with Bars() as bars:
                for jobs in drive(request, timezone.now, claim, settings.REBUILDS_AT_ONCE):
                    bars.show(jobs)
        except KeyboardInterrupt:
            cancel(load_request(request), timezone.now())
            raise SystemExit(130) from None
        failed = [job for job in load_request(request) if job.state != BoardJob.State.DONE]
        if failed:
            raise CommandError("\n".join(f"{job.board} {job.state}: {job.problem}" for job in failed))


class Bars:
    """A bar for each board that has begun; without a terminal, a line for each that is over."""

    def __init__(self) -> None:
        self._console = Console()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[rate]:,.0f} rows/s"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[state]}"),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._bars: dict[int, TaskID] = {}
        self._over: set[int] = set()

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, jobs: Sequence[BoardJob]) -> None:
        now = timezone.now()
        for job in jobs:
            if job.started_at is not None and job.pk not in self._over:
                self._show_bar(job, job.rate(now))
            if job.finished_at is not None and job.pk not in self._over:
                self._over.add(job.pk)
                if not self._console.is_terminal:
                    line = f"{job.board} {job.state}: {job.loaded:,} players, {job.rate(now):,.0f} rows/s {job.problem}"
                    self._console.print(line.rstrip(), highlight=False, soft_wrap=True)

    def _show_bar(self, job: BoardJob, rate: float) -> None:
        if job.pk not in self._bars:
            self._bars[job.pk] = self._progress.add_task(job.board, total=100, rate=rate, state=job.state)
        self._progress.update(self._bars[job.pk], completed=job.percent, rate=rate, state=job.state)
