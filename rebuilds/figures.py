"""How far boards and totals agree, and what is being done about it, as figures for the metrics."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, QuerySet

from rebuilds.models import BoardJob, Sample

RECENT = timedelta(days=1)
VERIFIED_WITHIN = timedelta(days=2)
"""Older verifications say nothing of the boards as they are."""


class JobFigures(NamedTuple):
    """Of one kind of job. `failed_count` in the last day."""

    kind: str
    unfinished_count: int
    failed_count: int


class Agreement(NamedTuple):
    """Of one leaderboard: entries looked at in the newest sample, how many differ, and how old it is."""

    leaderboard: str
    compared: int
    differing: int
    age_seconds: float


def load_job_figures(now: datetime) -> list[JobFigures]:
    """Of each kind. 2 queries."""
    unfinished = _by_kind(BoardJob.objects.unfinished())
    failed = _by_kind(BoardJob.objects.filter(state=BoardJob.State.FAILED, finished_at__gt=now - RECENT))
    return [JobFigures(kind, unfinished.get(kind, 0), failed.get(kind, 0)) for kind in BoardJob.Kind.values]


def _by_kind(jobs: QuerySet[BoardJob]) -> dict[str, int]:
    return dict(jobs.order_by().values_list("kind").annotate(Count("id")))


def load_samples(now: datetime) -> list[Agreement]:
    """The newest sample of each leaderboard. 1 query."""
    return [
        Agreement(sample.leaderboard.slug, sample.compared, sample.differing, (now - sample.sampled_at).total_seconds())
        for sample in Sample.objects.select_related("leaderboard").order_by("leaderboard__slug")
    ]


def load_verified_differences(now: datetime) -> dict[str, int]:
    """Differences found when each board was last verified, added up by leaderboard. 1 query."""
    newest = (
        BoardJob.objects.filter(
            kind=BoardJob.Kind.VERIFY, state=BoardJob.State.DONE, finished_at__gt=now - VERIFIED_WITHIN
        )
        .order_by("board", "-id")
        .distinct("board")
    )
    differences: dict[str, int] = {}
    for job in newest:
        slug = job.board.partition(":")[0]
        differences[slug] = differences.get(slug, 0) + job.difference_count
    return differences
