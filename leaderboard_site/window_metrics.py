"""Figures of /metrics about custom windows."""

from datetime import datetime

from django.conf import settings
from prometheus_client.core import GaugeMetricFamily, Metric

from boards.store import BoardsUnavailable
from boards.windows import count_living


def window_metrics(now: datetime) -> list[Metric]:
    """None while Redis is away, which others tell."""
    try:
        living = count_living(now)
    except BoardsUnavailable:
        return []
    return [
        GaugeMetricFamily("leaderboard_windows", "Custom windows that are there or being built.", living),
        GaugeMetricFamily("leaderboard_windows_limit", "How many there may be at once.", settings.WINDOWS_AT_ONCE),
    ]
