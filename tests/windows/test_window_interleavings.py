"""However scores, corrections, their workers and the building of a window overtake each other, it ends at the fold of its days."""

import random

import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boards import staging, store
from boards.keys import board_keys, built_key
from boards.staging import StagedRow, StagedRows
from boards.store import Call
from scoring.ranking import Operator, Order, Ties
from tests.windows.asking import WINDOW
from tests.windows.interleaving import PLAYERS, History

pytestmark = pytest.mark.django_db(transaction=True)

KEYS = board_keys(WINDOW)

players = st.sampled_from(PLAYERS)
scores = st.tuples(
    st.just("score"),
    players,
    st.integers(0, 2),
    st.sampled_from([0, 5, 5, 7, -5]),
    st.sampled_from([None, None, "hyd", "pune"]),
)
corrections = st.one_of(
    st.tuples(st.just("void"), players, st.integers(0, 3)),
    st.tuples(st.just("void"), players, st.integers(0, 3)),
    st.tuples(st.just("flag"), players),
    st.tuples(st.just("unflag"), players),
    st.tuples(st.just("erase"), players),
    st.tuples(st.just("merge"), players, players),
)
rules = st.tuples(st.sampled_from(Operator), st.sampled_from(Order), st.sampled_from(Ties))


class Scheduler:
    """Whoever has the highest priority goes on. Priorities are drawn anew now and then, so that some are held up for long."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._priorities: dict[str, float] = {}

    def choose(self, steps: list[str]) -> str:
        chosen = max(steps, key=lambda step: self._priorities.setdefault(self._who(step), self._dice.random()))
        if self._dice.random() < 0.3:
            self._priorities[self._who(chosen)] = self._dice.random()
        return chosen

    def _who(self, step: str) -> str:
        return step.split(maxsplit=1)[0]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(scores | scores | corrections, min_size=2, max_size=8), rules, st.integers(1, 2), st.integers(0, 2**32))
def test_any_order_of_any_history(
    boards_redis: redis.Redis,
    acts: list[tuple[object, ...]],
    rules: tuple[Operator, Order, Ties],
    builds: int,
    seed: int,
) -> None:
    scheduler = Scheduler(seed)
    history = History(boards_redis, acts, rules, builds=builds)
    taken = []

    while steps := history.steps():
        taken.append(scheduler.choose(steps))
        history.take(taken[-1])

    assert history.shown() == history.true(), taken


def write(snapshot_no: int, packed: int | str) -> int:
    """What a worker writes of ann, read in that snapshot; how many rows were refused."""
    (refused,) = store.run([Call("apply_window", (*KEYS, built_key(WINDOW)), (snapshot_no, 1, 60_000, "ann", packed))])
    assert isinstance(refused, int)
    return refused


def built(*rows: tuple[int, int]) -> None:
    """Build it of these readings of ann: snapshot number and packed score."""
    assert staging.mark(WINDOW, "a build")
    for snapshot_no, packed in rows:
        assert staging.load(WINDOW, "a build", [StagedRows.of([StagedRow("ann", snapshot_no, packed, None)])])
    assert staging.swap(WINDOW, "a build", 60, window=True)


def test_the_newer_reading_wins_whether_it_is_higher_or_lower(boards_redis: redis.Redis) -> None:
    built((5, 100))

    for snapshot_no, packed, shown in ((7, 50, 50), (6, 90, 50), (7, 50, 50), (9, 80, 80), (8, "", 80), (10, "", None)):
        write(snapshot_no, packed)
        assert boards_redis.zscore(KEYS.live, "ann") == shown


def test_a_late_worker_is_refused_also_by_what_came_before_the_build_began(boards_redis: redis.Redis) -> None:
    """Listed, but not marked yet: the newer row is nowhere but in PostgreSQL, where the builder reads it."""
    assert write(9, 80) == 0
    assert not boards_redis.exists(KEYS.live, KEYS.staging)

    built((10, 80))

    assert write(8, 100) == 1
    assert boards_redis.zscore(KEYS.live, "ann") == 80


def test_a_builder_that_is_late_does_not_overrule_a_worker(boards_redis: redis.Redis) -> None:
    assert staging.mark(WINDOW, "a build")
    write(9, 80)

    built((8, 100))

    assert boards_redis.zscore(KEYS.live, "ann") == 80


def test_a_window_that_has_gone_does_not_begin_with_whoever_scores_next(boards_redis: redis.Redis) -> None:
    write(9, 80)

    assert set(boards_redis.scan_iter("*")) == {KEYS.fence}
    assert 59 <= boards_redis.ttl(KEYS.fence) <= 60
