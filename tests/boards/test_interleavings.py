"""However commits, workers and a rebuild overtake each other, the board ends at the newest row."""

import itertools
from collections.abc import Iterator

import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.boards.interleaving import History, Operation, Row, Write, by_epoch, naive

OPERATIONS: list[Operation] = ["raise", "penalty", "flag", "unflag"]
STARTS = [Row(), Row(epoch=1, flagged=True)]


def every_end(
    client: redis.Redis, operations: list[Operation], start: Row, write: Write, rebuild: bool = False
) -> Iterator[tuple[int | None, int | None, list[str]]]:
    """Points shown and true at the end of every possible order of the steps, and the order."""
    begun: list[list[str]] = [[]]
    while begun:
        history = History(client, operations, start, rebuild, write)
        order = begun.pop()
        for step in order:
            history.take(step)
        while steps := history.steps():
            begun += [[*order, other] for other in steps[1:]]
            order = [*order, steps[0]]
            history.take(steps[0])
        yield history.shown(), history.true(), order


@pytest.mark.parametrize("operations", list(itertools.product(OPERATIONS, repeat=2)), ids="-".join)
@pytest.mark.parametrize("start", STARTS, ids=["clear", "flagged"])
def test_every_order_of_two_saves_and_their_workers(
    boards_redis: redis.Redis, operations: tuple[Operation, Operation], start: Row
) -> None:
    for shown, true, order in every_end(boards_redis, list(operations), start, by_epoch):
        assert shown == true, order


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("start", STARTS, ids=["clear", "flagged"])
def test_every_order_of_one_save_and_a_rebuild(boards_redis: redis.Redis, operation: Operation, start: Row) -> None:
    for shown, true, order in every_end(boards_redis, [operation], start, by_epoch, rebuild=True):
        assert shown == true, order


@settings(max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(OPERATIONS), min_size=2, max_size=5), st.sampled_from(STARTS), st.booleans(), st.data())
def test_many_orders_of_many_saves_and_a_rebuild(
    boards_redis: redis.Redis, operations: list[Operation], start: Row, rebuild: bool, data: st.DataObject
) -> None:
    history = History(boards_redis, operations, start, rebuild, by_epoch)

    while steps := history.steps():
        history.take(data.draw(st.sampled_from(steps)))

    assert history.shown() == history.true()


def test_the_naive_rule_goes_wrong_in_the_same_harness(boards_redis: redis.Redis) -> None:
    """The worker of a correction is overtaken by a later raise, which then is lost below the old points."""
    ends = list(every_end(boards_redis, ["penalty", "raise"], Row(), naive))

    wrong = [(shown, true) for shown, true, _ in ends if shown != true]
    assert (70, 80) in wrong
    assert len(wrong) < len(ends)


def test_the_naive_rule_goes_wrong_with_a_flag_too(boards_redis: redis.Redis) -> None:
    """A raise that was read before the flag puts a flagged player back."""
    ends = every_end(boards_redis, ["raise", "flag"], Row(), naive)

    assert any(true is None and shown is not None for shown, true, _ in ends)
