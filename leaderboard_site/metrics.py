"""GET /metrics for Prometheus: what an operator must be warned of. Read from the database at each scrape."""

from collections.abc import Iterator

from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from boards.read_counts import load_reads_a_minute
from leaderboard_site.archive_metrics import archive_metrics
from leaderboard_site.recovery_metrics import recovery_metrics
from leaderboard_site.snapshot_metrics import snapshot_metrics
from leaderboard_site.window_metrics import window_metrics
from rebuilds.figures import load_job_figures, load_samples, load_verified_differences
from scoring.headroom import load_headroom
from scoring.outbox import load_backlog


class SiteCollector(Collector):
    """Every figure in one pass. Without the database only `leaderboard_database_up 0` is left."""

    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("leaderboard_database_up", "Whether PostgreSQL answered this scrape.")
        try:
            now = timezone.now()
            metrics = [
                *_outbox(),
                _headroom(),
                *_jobs(),
                *_agreement(),
                _reads(),
                *archive_metrics(now),
                *recovery_metrics(now),
                *snapshot_metrics(now),
                *window_metrics(now),
            ]
        except DatabaseError:
            metrics = []
        up.add_metric([], 1 if metrics else 0)
        yield up
        yield from metrics


def _outbox() -> list[Metric]:
    waiting = GaugeMetricFamily(
        "leaderboard_outbox_waiting_events", "Outbox events that the boards don't have yet.", labels=["queue"]
    )
    oldest = GaugeMetricFamily(
        "leaderboard_outbox_oldest_seconds", "Age of the oldest of them: how late the boards are.", labels=["queue"]
    )
    set_aside = GaugeMetricFamily(
        "leaderboard_outbox_set_aside_events", "Poisoned outbox events, which wait for a person.", labels=["queue"]
    )
    for backlog in load_backlog(timezone.now()):
        waiting.add_metric([backlog.queue], backlog.waiting_count)
        oldest.add_metric([backlog.queue], backlog.oldest_seconds)
        set_aside.add_metric([backlog.queue], backlog.set_aside_count)
    return [waiting, oldest, set_aside]


def _headroom() -> Metric:
    left = GaugeMetricFamily(
        "leaderboard_accept_numbers_left_ratio",
        "Acceptance numbers left in an open period, from 1 to 0; alarm below 0.2.",
        labels=["leaderboard", "period"],
    )
    for headroom in load_headroom(timezone.now()):
        left.add_metric([headroom.leaderboard, headroom.period], headroom.left_ratio)
    return left


def _jobs() -> list[Metric]:
    unfinished = GaugeMetricFamily(
        "leaderboard_board_jobs_unfinished", "Rebuilds and verifications that wait or are under way.", labels=["kind"]
    )
    failed = GaugeMetricFamily(
        "leaderboard_board_jobs_failed", "Rebuilds and verifications that failed within a day.", labels=["kind"]
    )
    for figures in load_job_figures(timezone.now()):
        unfinished.add_metric([figures.kind], figures.unfinished_count)
        failed.add_metric([figures.kind], figures.failed_count)
    return [unfinished, failed]


def _agreement() -> list[Metric]:
    labels = ["leaderboard"]
    compared = GaugeMetricFamily(
        "leaderboard_sample_entries",
        "Entries that the newest random sample has compared with the totals.",
        labels=labels,
    )
    differing = GaugeMetricFamily(
        "leaderboard_sample_differing_entries", "Of these, how many differ; alarm above 0.", labels=labels
    )
    age = GaugeMetricFamily("leaderboard_sample_age_seconds", "Age of the newest sample.", labels=labels)
    verified = GaugeMetricFamily(
        "leaderboard_verified_differing_entries",
        "Entries that differed when each board was last verified as a whole; alarm above 0.",
        labels=labels,
    )
    now = timezone.now()
    for sample in load_samples(now):
        compared.add_metric([sample.leaderboard], sample.compared)
        differing.add_metric([sample.leaderboard], sample.differing)
        age.add_metric([sample.leaderboard], sample.age_seconds)
    for leaderboard, count in load_verified_differences(now).items():
        verified.add_metric([leaderboard], count)
    return [compared, differing, age, verified]


def _reads() -> Metric:
    pace = GaugeMetricFamily(
        "leaderboard_board_reads_per_minute",
        "Reads of open boards, averaged over about the last hour.",
        labels=["leaderboard"],
    )
    for leaderboard, reads in load_reads_a_minute(timezone.now()).items():
        pace.add_metric([leaderboard], reads)
    return pace


_registry = CollectorRegistry()
_registry.register(SiteCollector())


def metrics(request: HttpRequest) -> HttpResponse:
    return HttpResponse(generate_latest(_registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)
