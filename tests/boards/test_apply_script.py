"""The apply script, rule by rule: a board takes a write by its epoch."""

import itertools

import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.boards.bare_boards import KEYS, apply, scores

pytestmark = pytest.mark.usefixtures("boards_redis")

LIVE, STAGING, FENCE, LEASE = KEYS[:4]


def live(client: redis.Redis) -> dict[str, float]:
    return scores(client, LIVE)


def test_a_raise_raises_and_never_lowers(boards_redis: redis.Redis) -> None:
    assert apply(raises={"ann": 100, "bob": 50}) == 0
    assert apply(raises={"ann": 90, "bob": 60}) == 0

    assert live(boards_redis) == {"ann": 100, "bob": 60}
    assert not boards_redis.exists(FENCE)


def test_an_epoch_above_the_fence_lowers_and_moves_it(boards_redis: redis.Redis) -> None:
    apply(raises={"ann": 100})

    assert apply(("ann", 1, 70)) == 0

    assert live(boards_redis) == {"ann": 70}
    assert boards_redis.hgetall(FENCE) == {"ann": "1"}


def test_an_equal_epoch_only_raises(boards_redis: redis.Redis) -> None:
    apply(("ann", 1, 70))

    assert apply(("ann", 1, 60), ("ann", 1, 80), ("ann", 1, 75)) == 0

    assert live(boards_redis) == {"ann": 80}


def test_an_epoch_below_the_fence_is_refused(boards_redis: redis.Redis) -> None:
    apply(("ann", 3, 70))

    assert apply(("ann", 2, 500), ("ann", 0, 600), ("ann", 2, None)) == 3
    assert apply(raises={"ann": 900, "bob": 1}) == 1

    assert live(boards_redis) == {"ann": 70, "bob": 1}
    assert boards_redis.hgetall(FENCE) == {"ann": "3"}


def test_a_removal_removes_and_moves_the_fence(boards_redis: redis.Redis) -> None:
    apply(raises={"ann": 100, "bob": 50})

    assert apply(("ann", 1, None)) == 0
    assert apply(raises={"ann": 110}) == 1

    assert live(boards_redis) == {"bob": 50}


def test_a_removal_of_who_was_never_there_is_remembered(boards_redis: redis.Redis) -> None:
    apply(("ann", 1, None))

    assert apply(raises={"ann": 110}) == 1
    assert live(boards_redis) == {}


def test_a_removal_in_an_equal_epoch_removes(boards_redis: redis.Redis) -> None:
    apply(("ann", 1, 70))
    apply(("ann", 1, None))

    assert live(boards_redis) == {}


def test_who_was_removed_comes_back_in_a_later_epoch(boards_redis: redis.Redis) -> None:
    apply(raises={"ann": 100})
    apply(("ann", 1, None))
    apply(("ann", 2, 90))

    assert live(boards_redis) == {"ann": 90}


def test_the_fence_of_one_player_is_no_fence_for_another(boards_redis: redis.Redis) -> None:
    apply(("ann", 5, 10))

    assert apply(("bob", 1, 10), raises={"eve": 10}) == 0
    assert live(boards_redis) == {"ann": 10, "bob": 10, "eve": 10}


def test_epochs_are_compared_as_numbers(boards_redis: redis.Redis) -> None:
    apply(("ann", 9, 10))

    assert apply(("ann", 10, 5)) == 0
    assert live(boards_redis) == {"ann": 5}
    assert boards_redis.hgetall(FENCE) == {"ann": "10"}


@pytest.mark.parametrize("packed", [9_007_199_254_740_991, 1_209_995_999_999, -9_007_189_999_999_999, 0])
def test_scores_arrive_to_the_last_digit(boards_redis: redis.Redis, packed: int) -> None:
    apply(("bob", 1, packed), raises={"ann": packed})

    assert boards_redis.zscore(LIVE, "ann") == float(packed)
    assert boards_redis.zscore(LIVE, "bob") == float(packed)
    assert int(float(packed)) == packed


@pytest.mark.parametrize("count", [1, 1999, 2000, 2001, 4001])
@pytest.mark.parametrize("fenced", [False, True])
def test_any_number_of_raises_fits_one_call(boards_redis: redis.Redis, count: int, fenced: bool) -> None:
    scores = {f"player-{n}": n for n in range(1, count + 1)}
    first, last = "player-1", f"player-{count}"
    if fenced:
        apply((first, 1, None), (last, 1, 7), ("other", 1, None))

    refused = apply(raises=scores)

    assert refused == (len({first, last}) if fenced else 0)
    expected = {name: score for name, score in scores.items() if not fenced or name not in {first, last}}
    if fenced:
        expected[last] = 7
    assert live(boards_redis) == expected


def test_thousands_of_corrections_fit_one_call(boards_redis: redis.Redis) -> None:
    assert apply(*((f"player-{n}", 1, n) for n in range(3000))) == 0
    assert boards_redis.zcard(LIVE) == boards_redis.hlen(FENCE) == 3000


def test_every_order_of_the_same_writes_ends_at_the_newest(boards_redis: redis.Redis) -> None:
    # As the row was, one after the other: within an epoch it only rises.
    rows: list[tuple[str, int, int | None]] = [
        ("ann", 0, 100),
        ("ann", 0, 110),
        ("ann", 1, 80),
        ("ann", 1, 90),
        ("ann", 2, None),
        ("ann", 3, 95),
    ]
    for order in itertools.permutations(rows):
        boards_redis.flushdb()
        for row in order:
            apply(row)
        assert live(boards_redis) == {"ann": 95}, order


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(["ann", "bob"]), st.integers(0, 3), st.integers(0, 50)), max_size=8))
def test_repeating_writes_changes_nothing(boards_redis: redis.Redis, writes: list[tuple[str, int, int]]) -> None:
    boards_redis.flushdb()
    apply(*writes)
    before = (live(boards_redis), boards_redis.hgetall(FENCE))

    apply(*writes)
    apply(*reversed(writes))

    assert (live(boards_redis), boards_redis.hgetall(FENCE)) == before


def test_raises_of_epoch_0_mean_the_same_in_either_form(boards_redis: redis.Redis) -> None:
    apply(("ann", 1, 5))
    one = (apply(raises={"ann": 9, "bob": 9}), live(boards_redis))
    boards_redis.flushdb()
    apply(("ann", 1, 5))
    two = (apply(("ann", 0, 9), ("bob", 0, 9)), live(boards_redis))

    assert one == two
