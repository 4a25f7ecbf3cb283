"""Figures of /metrics about Redis losing data."""

from datetime import datetime

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from rebuilds.recovery_figures import load_recovery_figures


def recovery_metrics(now: datetime) -> list[Metric]:
    figures = load_recovery_figures(now)
    losses = CounterMetricFamily("leaderboard_recoveries", "Losses of Redis that were recovered from.", labels=["loss"])
    for loss, count in figures.by_loss.items():
        losses.add_metric([loss], count)
    last = GaugeMetricFamily(
        "leaderboard_recovery_last_seconds", "From when the last loss was noted to when the boards were right again."
    )
    if figures.last_seconds is not None:
        last.add_metric([], figures.last_seconds)
    age = GaugeMetricFamily("leaderboard_redis_watch_age_seconds", "Since Redis was last looked at; alarm above 30.")
    if figures.beat_age_seconds is not None:
        age.add_metric([], figures.beat_age_seconds)
    return [
        losses,
        GaugeMetricFamily(
            "leaderboard_recovery_running_seconds",
            "Since a loss was noted that is not recovered from yet; 0 if there is none.",
            figures.unfinished_seconds,
        ),
        last,
        age,
    ]
