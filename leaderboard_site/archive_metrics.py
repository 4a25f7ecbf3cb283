"""Figures of /metrics about closed periods, webhooks and the expiry of keys."""

from datetime import datetime

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from rebuilds.archive_figures import load_archive_figures


def archive_metrics(now: datetime) -> list[Metric]:
    figures = load_archive_figures(now)
    finds = CounterMetricFamily(
        "leaderboard_expiry_finds", "What the expiry audit has found and mended.", labels=["found"]
    )
    for found, count in figures.expiry_finds.items():
        finds.add_metric([found], count)
    return [
        GaugeMetricFamily(
            "leaderboard_archive_waiting_periods", "Closed periods that are not archived yet.", figures.waiting_periods
        ),
        GaugeMetricFamily(
            "leaderboard_archive_oldest_seconds", "Since the oldest of them closed.", figures.oldest_seconds
        ),
        GaugeMetricFamily(
            "leaderboard_webhook_waiting_deliveries", "Notices on their way to webhooks.", figures.waiting_deliveries
        ),
        GaugeMetricFamily(
            "leaderboard_webhook_set_aside_deliveries",
            "Notices that nobody received, which wait for a person.",
            figures.set_aside_deliveries,
        ),
        finds,
    ]
