"""(a) Durable intake alone: bytes of a batch to committed rows, against the plain statement.

Both on one connection, each batch committed; by turns in short rounds, since machines are noisy. Medians of the rounds.
"""

import itertools
import statistics
import time
from collections.abc import Callable

from django.utils import timezone

from benchmarks.bodies import Bodies
from benchmarks.cpu import cpu_measured
from benchmarks.figures import Figure, Goal, GoalKind, Results, Yardstick
from benchmarks.seed import SLUG, World, drain
from benchmarks.yardsticks import PlainIntake
from scoring.acceptance import Stored
from scoring.errors import FieldError
from scoring.intake import Addressed, accept_scores
from scoring.submissions import parse_batch

BATCH_SIZE = 500
BATCHES_A_ROUND = 10
WARM_UP_ROUNDS = 2


def bench_intake(world: World, seconds: float, groups: dict[str, int]) -> Results:
    results = Results("(a) durable intake alone, batches of 500, one connection")
    ours = Bodies(world.people, SLUG, BATCH_SIZE, "intake")
    with_totals = Bodies(world.people, SLUG, BATCH_SIZE, "totals")
    with (
        PlainIntake(world, ours.batches, "plain") as plain,
        PlainIntake(world, ours.batches, "keyed", by_key=True) as keyed,
    ):
        ways: dict[str, Callable[[int], None]] = {
            "ours": lambda index: accept(world, ours.body(index), with_totals=False),
            "with totals": lambda index: accept(world, with_totals.body(index), with_totals=True),
            "plain": plain.save,
            "keyed": keyed.save,
        }
        with cpu_measured(results, "all by turns", groups):
            rates = _by_turns(ways, seconds)
    yardstick = Yardstick("the plain statement", rates["plain"])
    keyed_yardstick = Yardstick("the same, given the players' keys", rates["keyed"])
    results.figures = [
        Figure("accept_scores", rates["ours"], "events/s", Goal(GoalKind.RATIO, 0.7), yardstick),
        Figure("accept_scores, answering with totals", rates["with totals"], "events/s", None, yardstick),
        Figure("accept_scores, against keys at hand", rates["ours"], "events/s", None, keyed_yardstick),
    ]
    drain(timezone.now())
    return results


def accept(world: World, body: bytes, *, with_totals: bool) -> None:
    scores = [item if isinstance(item, FieldError) else Addressed(item, world.rules) for item in parse_batch(body)]
    outcomes = accept_scores(scores, timezone.now(), with_totals=with_totals)
    assert all(isinstance(outcome, Stored) and not outcome.duplicate for outcome in outcomes)


def _by_turns(ways: dict[str, Callable[[int], None]], seconds: float) -> dict[str, float]:
    """Events a second of each way."""
    rates: dict[str, list[float]] = {name: [] for name in ways}
    deadline = time.monotonic() + seconds
    for round_number in itertools.count():
        if round_number >= WARM_UP_ROUNDS + 3 and time.monotonic() > deadline:
            break
        for number, (name, save) in enumerate(ways.items()):
            # Each takes players of its own: rows that another has just written are still in the processor's cache.
            first = (round_number * len(ways) + number) * BATCHES_A_ROUND
            started_at = time.perf_counter()
            for index in range(first, first + BATCHES_A_ROUND):
                save(index)
            rates[name].append(BATCHES_A_ROUND * BATCH_SIZE / (time.perf_counter() - started_at))
    return {name: statistics.median(some[WARM_UP_ROUNDS:]) for name, some in rates.items()}
