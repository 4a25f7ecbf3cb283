"""(f) Rebuild: rows to a verified board, against pipelined ZADD of the same entries; and what readers notice of it.

The rate is of one process, from asking to the swap, both readings of the rows included. Rebuild and ZADD by turns; medians,
but for the large board, which is rebuilt once.
Readers send as many rank reads a second with rebuilds going on as without.
"""

import contextlib
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

import psutil
from django.db import connection
from django.utils import timezone

from benchmarks.cpu import cpu_measured
from benchmarks.figures import Figure, Goal, GoalKind, Results, Yardstick
from benchmarks.jobs import PostJob, PostReport, ReadJob, ReadReport, run_job
from benchmarks.seed import SLUG, World
from benchmarks.services import redis_client
from boards.board_ids import Board, find_board
from leaderboard_site.simulation.sums import await_outbox
from rebuilds.driving import drive
from rebuilds.jobs import ask_rebuild, cancel, load_request
from rebuilds.truth import Truth
from rebuilds.verifying import verify_live

ROUNDS = 3
ENTRIES_A_PIPELINE = 1_000
READS_A_SECOND = 500
READERS = 8
EVENTS_A_SECOND = 10_000
YARDSTICK_KEY = "yardstick:rebuild"
CLAIM = timedelta(seconds=10)


def bench_rebuild(board_id: str, rounds: int, groups: dict[str, int]) -> Results:
    results = Results("(f) rebuild of one board: two readings of the rows, loading, verification, swap")
    board = find_board(board_id, timezone.now())
    results.notes.append(_memory(board))
    entries = _entries(board)
    with cpu_measured(results, f"{len(entries):,} players, rebuild and ZADD by turns", groups):
        ours, plain = _by_turns(board, entries, rounds)
    name = f"rebuild of {len(entries):,} players"
    results.figures = [Figure(name, ours, "players/s", Goal(GoalKind.RATIO, 0.5), Yardstick("pipelined ZADD", plain))]
    return results


def _entries(board: Board) -> list[tuple[str, int | str]]:
    truth, after = Truth(board), 0
    entries: list[tuple[str, int | str]] = []
    while (portion := truth.portion(after)).last is not None:
        entries += zip(portion.rows.player_ids, portion.rows.packed, strict=True)
        after = portion.last
    return entries


def _memory(board: Board) -> str:
    """What the first rebuild needs, which also warms up. The benchmark's own list of entries is not there yet."""
    process, client = psutil.Process(), redis_client()
    own_before, redis_before = process.memory_info().rss, client.info("memory")["used_memory"]
    _rebuild(board)
    own = process.memory_info().rss - own_before
    peak = client.info("memory")["used_memory_peak"] - redis_before
    return (
        f"{board.id}: a rebuild takes {own / 1e6:,.0f} MB of its process, {peak / 1e6:,.0f} MB of Redis until the swap"
    )


def _by_turns(board: Board, entries: list[tuple[str, int | str]], rounds: int) -> tuple[float, float]:
    ways: dict[str, Callable[[], None]] = {"ours": lambda: _rebuild(board), "plain": lambda: _plain_zadd(entries)}
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, run in ways.items():
            started_at = time.perf_counter()
            run()
            rates[name].append(len(entries) / (time.perf_counter() - started_at))
        redis_client().unlink(YARDSTICK_KEY)
    return statistics.median(rates["ours"]), statistics.median(rates["plain"])


def _rebuild(board: Board) -> None:
    asked = ask_rebuild([board], "benchmark", timezone.now())
    for jobs in drive(asked, timezone.now, CLAIM, 1):
        state, problem = jobs[0].state, jobs[0].problem
    assert (state, problem) == ("done", ""), (state, problem)


def _plain_zadd(entries: list[tuple[str, int | str]]) -> None:
    client = redis_client()
    for first in range(0, len(entries), ENTRIES_A_PIPELINE):
        pipeline = client.pipeline(transaction=False)
        for player_id, packed in entries[first : first + ENTRIES_A_PIPELINE]:
            pipeline.zadd(YARDSTICK_KEY, {player_id: packed})
        pipeline.execute()


def bench_readers(world: World, seconds: float, groups: dict[str, int], address: str) -> Results:
    results = Results(f"(g) rank reads over HTTP, {READS_A_SECOND} a second, while a board is rebuilt over and over")
    job = ReadJob(
        url=address,
        target=f"/v1/leaderboards/{world.board_id}/players/<player>?around=0",
        players=world.people.count,
        connections=READERS,
        seconds=seconds,
        requests_a_second=READS_A_SECOND,
    )
    with cpu_measured(results, "reads alone", groups):
        quiet = run_job("benchmarks.load_reads", job, ReadReport)
    with cpu_measured(results, "reads during rebuilds", groups), _rebuilding(world) as counts:
        during = run_job("benchmarks.load_reads", job, ReadReport)
    results.figures = [
        Figure("p99 during rebuilds", during.p99, "ms", Goal(GoalKind.RATIO_MOST, 2), Yardstick("without", quiet.p99)),
        Figure("median during rebuilds", during.p50, "ms", None, Yardstick("without", quiet.p50)),
        Figure("reads", during.requests / during.seconds, "requests/s", None, _rate_of(quiet)),
        Figure("rebuilds meanwhile", counts["done"], ""),
    ]
    results.figures += _under_scores(world, seconds, address)
    return results


def _rate_of(report: ReadReport) -> Yardstick:
    return Yardstick("without", report.requests / report.seconds)


def _under_scores(world: World, seconds: float, address: str) -> list[Figure]:
    """Scores arrive while the board is rebuilt over and over; then it is compared with the totals."""
    job = PostJob(
        url=address,
        key=world.key,
        leaderboard=SLUG,
        players=world.people.count,
        batch_size=500,
        match_prefix=f"rebuild-{timezone.now():%H%M%S}",
        connections=4,
        seconds=seconds,
        events_a_second=EVENTS_A_SECOND,
    )
    with _rebuilding(world) as counts:
        report = run_job("benchmarks.load_posts", job, PostReport)
    await_outbox(60)
    truth = Truth(find_board(world.board_id, timezone.now()))
    wrong = sum(len(findings.differences) for findings in verify_live(truth, timezone.now()))
    at_most = Goal(GoalKind.MOST, 0)
    return [
        Figure(f"{EVENTS_A_SECOND:,} events/s offered: accepted", report.accepted / report.seconds, "events/s"),
        Figure("  rebuilds meanwhile", counts["done"], "", Goal(GoalKind.LEAST, 1)),
        Figure("  rebuilds that failed", counts["failed"], "", at_most),
        Figure("  entries that differ afterwards", wrong, "", at_most),
    ]


@contextlib.contextmanager
def _rebuilding(world: World) -> Iterator[dict[str, int]]:
    """The site's worker rebuilds the board, again as soon as it is done. Yields how often, by how it ended."""
    counts = {"done": 0, "failed": 0}
    stopped = threading.Event()

    def ask_again() -> None:
        try:
            while not stopped.is_set():
                asked = ask_rebuild([find_board(world.board_id, timezone.now())], "benchmark", timezone.now())
                while not (job := load_request(asked)[0]).finished_at:
                    if stopped.wait(0.1):
                        cancel([job], timezone.now())
                        return
                counts[job.state] += 1
        finally:
            connection.close()

    asking = threading.Thread(target=ask_again)
    asking.start()
    try:
        yield counts
    finally:
        stopped.set()
        asking.join()
