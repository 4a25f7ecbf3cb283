"""(c) The whole path over HTTP: web, workers, beat and the load generator on this machine.

Once at a given pace (by default the goal's), once as fast as it goes; against the same bodies to a bare server.
"""

from datetime import datetime

from django.db import connection
from django.utils import timezone

from benchmarks.cpu import cpu_measured
from benchmarks.figures import Figure, Goal, GoalKind, Results, Yardstick
from benchmarks.jobs import PostJob, PostReport, run_job
from benchmarks.programs import running_bare
from benchmarks.seed import SLUG, World
from leaderboard_site.simulation.sums import await_outbox

CONNECTIONS = 5
"""Game servers. With eight, intake takes the cores from the workers, and boards fall behind."""

BATCH_SIZE = 500
LEAST_EVENTS = 25_000
"""Accepted a second, by the goal."""

LONGEST_VISIBLE_MS = 2_000
DRAIN_SECONDS = 120.0

# By then a worker has written every board of the event's players.
OUTBOX_TIMES = """
SELECT
    count(*),
    coalesce(extract(epoch FROM percentile_disc(0.5) WITHIN GROUP (ORDER BY applied_at - created_at)) * 1000, 0)::float8,
    coalesce(extract(epoch FROM percentile_disc(0.99) WITHIN GROUP (ORDER BY applied_at - created_at)) * 1000, 0)::float8
FROM scoring_outboxevent
WHERE created_at >= %s AND applied_at IS NOT NULL
"""


def bench_path(world: World, seconds: float, pace: float, groups: dict[str, int], address: str) -> Results:
    results = Results("(c) whole path over HTTP, batches of 500, 6 boards an event")
    with running_bare() as (bare_address, bare_groups):
        bare = _run(results, world, bare_address, seconds / 4, bare_groups, what="bare server", target="/202/60")
    yardstick = Yardstick("bare Granian, same bodies", bare.accepted / bare.seconds)
    # The goal's own first: what has been written before costs the next run a percent or two.
    for what, offered in ((f"{pace:,.0f} events/s offered", pace), ("as fast as it goes", 0)):
        began_at = timezone.now()
        report = _run(results, world, address, seconds, groups, what=what, pace=offered, watched_board=world.board_id)
        is_drained = await_outbox(DRAIN_SECONDS)
        results.figures += _figures(what, report, _outbox_times(began_at), yardstick)
        took_seconds = (timezone.now() - began_at).total_seconds()
        results.notes.append(
            f"{what}: {report.watched} players watched, {report.never_visible} never visible;"
            f" outbox {'empty' if is_drained else 'NOT empty'} {took_seconds:.0f} s after the start"
        )
    return results


def _figures(what: str, report: PostReport, outbox: tuple[int, float, float], yardstick: Yardstick) -> list[Figure]:
    _, applied_p50, applied_p99 = outbox
    at_most = Goal(GoalKind.MOST, LONGEST_VISIBLE_MS)
    return [
        Figure(
            f"{what}: accepted",
            report.accepted / report.seconds,
            "events/s",
            Goal(GoalKind.LEAST, LEAST_EVENTS),
            yardstick,
        ),
        Figure("  202 to visible, read over HTTP, median", report.visible_p50, "ms"),
        Figure("  202 to visible, read over HTTP, p99", report.visible_p99, "ms", at_most),
        Figure("  created to applied, all outbox events, median", applied_p50, "ms"),
        Figure("  created to applied, all outbox events, p99", applied_p99, "ms", at_most),
        Figure("  POST to 202, median", report.post_p50, "ms"),
        Figure("  POST to 202, p99", report.post_p99, "ms"),
    ]


def _run(
    results: Results,
    world: World,
    address: str,
    seconds: float,
    groups: dict[str, int],
    *,
    what: str,
    pace: float = 0,
    watched_board: str = "",
    target: str = "/v1/scores/batch?results=rejected",
) -> PostReport:
    job = PostJob(
        url=address,
        key=world.key,
        target=target,
        leaderboard=SLUG,
        players=world.people.count,
        batch_size=BATCH_SIZE,
        match_prefix=f"path-{timezone.now():%H%M%S}",
        connections=CONNECTIONS,
        seconds=seconds,
        events_a_second=pace,
        watched_board=watched_board,
    )
    with cpu_measured(results, what, groups) as ended:
        report = run_job("benchmarks.load_posts", job, PostReport)
        ended["generator"] = report.cpu_seconds
    return report


def _outbox_times(since: datetime) -> tuple[int, float, float]:
    with connection.cursor() as cursor:
        cursor.execute(OUTBOX_TIMES, [since])
        count, median, p99 = cursor.fetchone()
    return count, median, p99
