"""Figures of /metrics about snapshots."""

from datetime import datetime

from django.db.models import Max
from prometheus_client.core import GaugeMetricFamily, Metric

from scoring.models import StandingsSnapshot


def snapshot_metrics(now: datetime) -> list[Metric]:
    """1 small query."""
    age = GaugeMetricFamily(
        "leaderboard_snapshot_age_seconds", "Since the newest whole snapshot was taken.", labels=["leaderboard"]
    )
    newest = StandingsSnapshot.objects.whole().order_by().values_list("leaderboard__slug").annotate(Max("taken_at"))
    for slug, taken_at in newest:
        age.add_metric([slug], (now - taken_at).total_seconds())
    return [age]
