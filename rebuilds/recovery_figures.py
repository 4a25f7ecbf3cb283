"""Losses of Redis and recoveries from them, as figures for the metrics."""

from datetime import datetime
from typing import NamedTuple

from django.db.models import Count

from rebuilds.models import Recovery, RedisWatch


class RecoveryFigures(NamedTuple):
    """`by_loss`: how many recoveries there ever were. Seconds of the last one from when the loss was noted to when the boards
    were right; None if there was none. `beat_age_seconds` since Redis was last looked at, None if it never was."""

    by_loss: dict[str, int]
    unfinished_seconds: float
    last_seconds: float | None
    beat_age_seconds: float | None


def load_recovery_figures(now: datetime) -> RecoveryFigures:
    """4 small queries."""
    counted = dict(Recovery.objects.order_by().values_list("loss").annotate(Count("id")))
    under_way = Recovery.objects.unfinished().filter(recovered_at__isnull=True).first()
    last = Recovery.objects.filter(recovered_at__isnull=False).first()
    watch = RedisWatch.objects.first()
    return RecoveryFigures(
        {loss: counted.get(loss, 0) for loss in Recovery.Loss.values},
        (now - under_way.noted_at).total_seconds() if under_way else 0.0,
        (last.recovered_at - last.noted_at).total_seconds() if last and last.recovered_at else None,
        (now - watch.beat_at).total_seconds() if watch and watch.number else None,
    )
