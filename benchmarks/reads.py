"""(d) Reads over HTTP, 64 connections, random players; against a bare server that answers as many bytes."""

from dataclasses import dataclass

from benchmarks.cpu import cpu_measured
from benchmarks.figures import Figure, Goal, GoalKind, Results, Yardstick
from benchmarks.jobs import ReadJob, ReadReport, run_job
from benchmarks.programs import running_bare
from benchmarks.seed import World

CONNECTIONS = 64
RANKS = 1_000
LEAST_RANKS = 150_000
"""A second, by the goal."""

EVERYONE = 300_000
EVERYONE_WITHIN_SECONDS = 15.0
"""After a question each player asks for his rank, all within this time."""


@dataclass(frozen=True)
class Kind:
    """One kind of read. `ranks` in one answer; `least` answers a second are the goal, if there is one."""

    name: str
    target: str
    ranks: int = 0
    least: float | None = None


KINDS = (
    Kind("rank", "/players/<player>?around=0", least=14_000),
    Kind("rank with 5 neighbours on each side", "/players/<player>?around=5", least=12_000),
    Kind("ranks of 1,000", "/ranks", ranks=RANKS, least=LEAST_RANKS / RANKS),
    Kind("top 100", "/top?n=100", least=15_000),
)


def bench_reads(world: World, seconds: float, groups: dict[str, int], address: str) -> Results:
    results = Results("(d) reads over HTTP, 64 connections")
    with running_bare() as (bare_address, _):
        for kind in KINDS:
            with cpu_measured(results, kind.name, groups) as ended:
                target = f"/v1/leaderboards/{world.board_id}{kind.target}"
                report = run_reads(world, address, target, seconds, kind)
                ended["generator"] = report.cpu_seconds
            bare = run_reads(world, bare_address, f"/200/{report.body_bytes:.0f}", seconds / 2, kind)
            results.figures += _figures(kind, report, bare)
    return results


def _figures(kind: Kind, report: ReadReport, bare: ReadReport) -> list[Figure]:
    goal = Goal(GoalKind.LEAST, kind.least) if kind.least else None
    rate, bare_rate = report.requests / report.seconds, bare.requests / bare.seconds
    yardstick = Yardstick(f"bare Granian, {report.body_bytes:,.0f} bytes", bare_rate)
    figures = [
        Figure(kind.name, rate, "requests/s", goal, yardstick),
        Figure("  median", report.p50, "ms", None, Yardstick("bare Granian", bare.p50)),
        Figure("  p99", report.p99, "ms", None, Yardstick("bare Granian", bare.p99)),
    ]
    if kind.ranks:
        figures.append(Figure("  ranks", rate * kind.ranks, "ranks/s", Goal(GoalKind.LEAST, LEAST_RANKS)))
    if kind is KINDS[0]:
        within = Goal(GoalKind.MOST, EVERYONE_WITHIN_SECONDS)
        figures.append(Figure(f"  {EVERYONE:,} of them, at this rate", EVERYONE / rate, "s", within))
    return figures


def run_reads(world: World, address: str, target: str, seconds: float, kind: Kind = KINDS[0]) -> ReadReport:
    """Requests of this kind to `target`, over and over."""
    job = ReadJob(
        url=address,
        method="POST" if kind.ranks else "GET",
        target=target,
        players_in_body=kind.ranks,
        players=world.people.count,
        connections=CONNECTIONS,
        seconds=seconds,
    )
    return run_job("benchmarks.load_reads", job, ReadReport)
