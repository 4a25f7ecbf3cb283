"""(d) Reads over HTTP, 64 connections, random players; against a bare server that answers as many bytes."""

from dataclasses import dataclass

from benchmarks.cpu import cpu_measured
from benchmarks.figures import Figure, Goal, GoalKind, Results, Yardstick
from benchmarks.jobs import ReadJob, ReadReport, run_job
from benchmarks.programs import running_bare
from benchmarks.seed import World

CONNECTIONS = 64
RANKS = 1_000


@dataclass(frozen=True)
class Kind:
    """One kind of read. `ranks` in one answer; `least` answers a second are the goal, if there is one."""

    name: str
    target: str
    ranks: int = 0
    least: float | None = None


KINDS = (
    Kind("rank", "/players/<player>?around=0", least=3_000),
    Kind("rank with 5 neighbours on each side", "/players/<player>?around=5"),
    Kind("ranks of 1,000", "/ranks", ranks=RANKS, least=100_000 / RANKS),
    Kind("top 100", "/top?n=100"),
)


def bench_reads(world: World, seconds: float, groups: dict[str, int], address: str) -> Results:
    results = Results("(d) reads over HTTP through Django REST framework, 64 connections")
    with running_bare() as (bare_address, _):
        for kind in KINDS:
            with cpu_measured(results, kind.name, groups) as ended:
                target = f"/v1/leaderboards/{world.board_id}{kind.target}"
                report = _run(_job(world, kind, seconds, address, target))
                ended["generator"] = report.cpu_seconds
            bare = _run(_job(world, kind, seconds / 2, bare_address, f"/200/{report.body_bytes:.0f}"))
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
        figures.append(Figure("  ranks", rate * kind.ranks, "ranks/s", Goal(GoalKind.LEAST, 100_000)))
    return figures


def _job(world: World, kind: Kind, seconds: float, address: str, target: str) -> ReadJob:
    return ReadJob(
        url=address,
        method="POST" if kind.ranks else "GET",
        target=target,
        players_in_body=kind.ranks,
        players=world.people.count,
        connections=CONNECTIONS,
        seconds=seconds,
    )


def _run(job: ReadJob) -> ReadReport:
    return run_job("benchmarks.load_reads", job, ReadReport)
