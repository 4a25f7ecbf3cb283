"""(e) Corrections while a quiz is played at full speed: how soon each is on the board."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

from django.db import connection
from django.utils import timezone

from benchmarks.cpu import cpu_measured
from benchmarks.figures import Figure, Goal, GoalKind, Results
from benchmarks.jobs import CorrectJob, CorrectReport, PostJob, PostReport, run_job
from benchmarks.seed import FIRST_MATCH, SLUG, World
from leaderboard_site.simulation.sums import await_outbox
from scoring.setup import create_api_key

CORRECTIONS_A_SECOND = 10.0
LONGEST_VISIBLE_MS = 2_000
DRAIN_SECONDS = 120.0

APPLIED_AFTER = """
SELECT coalesce(extract(epoch FROM percentile_disc(0.99) WITHIN GROUP (ORDER BY applied_at - created_at)) * 1000, 0)::float8
FROM scoring_outboxevent
WHERE created_at >= %s AND applied_at IS NOT NULL AND queue = 'corrections'
"""


def bench_corrections(world: World, seconds: float, pace: float, groups: dict[str, int], address: str) -> Results:
    results = Results(f"(e) {CORRECTIONS_A_SECOND:g} corrections a second beside {pace:,.0f} events/s")
    posts = PostJob(
        url=address,
        key=world.key,
        leaderboard=SLUG,
        players=world.people.count,
        batch_size=500,
        match_prefix=f"corrected-{timezone.now():%H%M%S}",
        connections=4,
        seconds=seconds,
        events_a_second=pace,
        watched_board=world.board_id,
    )
    corrections = CorrectJob(
        url=address,
        key=create_api_key("benchmark of corrections", ["moderate", "read"]),
        leaderboard=SLUG,
        board=world.board_id,
        match_id=FIRST_MATCH,
        players=world.people.count,
        corrections_a_second=CORRECTIONS_A_SECOND,
        seconds=seconds,
    )
    began_at = timezone.now()
    with cpu_measured(results, "posts and corrections", groups), ThreadPoolExecutor() as pool:
        posted = pool.submit(run_job, "benchmarks.load_posts", posts, PostReport)
        report = run_job("benchmarks.load_corrections", corrections, CorrectReport)
        accepted = posted.result()
    await_outbox(DRAIN_SECONDS)
    at_most = Goal(GoalKind.MOST, LONGEST_VISIBLE_MS)
    results.figures = [
        Figure("events accepted meanwhile", accepted.accepted / accepted.seconds, "events/s"),
        Figure("flag or unflag: 202 to visible, read over HTTP, median", report.visible_p50, "ms"),
        Figure("  p99", report.visible_p99, "ms", at_most),
        Figure("all corrections: created to applied, p99", _applied_p99(began_at), "ms", at_most),
        Figure("POST of a correction to 202, p99", report.accepted_p99, "ms"),
    ]
    results.notes.append(f"{report.corrections} corrections, {report.never_visible} never visible")
    return results


def _applied_p99(since: datetime) -> float:
    with connection.cursor() as cursor:
        cursor.execute(APPLIED_AFTER, [since])
        (milliseconds,) = cursor.fetchone()
    return float(milliseconds)
