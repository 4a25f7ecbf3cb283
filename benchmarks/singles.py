"""(e) Single posts over HTTP, 64 connections, each score durable and on its way to 6 boards."""

from django.utils import timezone

from benchmarks.cpu import cpu_measured
from benchmarks.figures import Figure, Goal, GoalKind, Results, Yardstick
from benchmarks.jobs import ReadReport, SinglesJob, run_job
from benchmarks.programs import running_bare
from benchmarks.reads import CONNECTIONS, run_reads
from benchmarks.seed import SLUG, World
from leaderboard_site.simulation.sums import await_outbox

LEAST_A_SECOND = 9_500
LONGEST_MS = 30.0
DRAIN_SECONDS = 120.0


def bench_singles(world: World, seconds: float, groups: dict[str, int], address: str) -> Results:
    results = Results("(e) single posts over HTTP, 64 connections")
    job = SinglesJob(
        url=address,
        key=world.key,
        leaderboard=SLUG,
        players=world.people.count,
        match_prefix=f"single-{timezone.now():%H%M%S}",
        connections=CONNECTIONS,
        seconds=seconds,
    )
    with cpu_measured(results, "single posts", groups) as ended:
        report = run_job("benchmarks.load_singles", job, ReadReport)
        ended["generator"] = report.cpu_seconds
    with running_bare() as (bare_address, _):
        bare = run_reads(world, bare_address, f"/200/{report.body_bytes:.0f}", seconds / 2)
    yardstick = Yardstick(f"bare Granian, {report.body_bytes:,.0f} bytes", bare.requests / bare.seconds)
    is_drained = await_outbox(DRAIN_SECONDS)
    results.figures = [
        Figure(
            "accepted", report.requests / report.seconds, "scores/s", Goal(GoalKind.LEAST, LEAST_A_SECOND), yardstick
        ),
        Figure("  median", report.p50, "ms", None, Yardstick("bare Granian", bare.p50)),
        Figure("  p99", report.p99, "ms", Goal(GoalKind.MOST, LONGEST_MS), Yardstick("bare Granian", bare.p99)),
    ]
    results.notes.append(f"outbox {'empty' if is_drained else 'NOT empty'} afterwards")
    return results
