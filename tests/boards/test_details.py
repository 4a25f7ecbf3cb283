"""Details on a board, by the apply script: replaced with the score they belong to, in both copies."""

from typing import Any

import pytest
import redis

from tests.boards.bare_boards import KEYS, apply

LIVE, STAGING, FENCE, LEASE, DETAILS, STAGING_DETAILS = KEYS[:6]
RED, BLUE = '{"car": "red"}', '{"car": "blue"}'


def details(client: redis.Redis, key: str = DETAILS) -> Any:
    return client.hgetall(key)


@pytest.fixture
def ann_in_red(boards_redis: redis.Redis) -> redis.Redis:
    apply(raises={"ann": 10}, details={"ann": RED})
    return boards_redis


def test_details_come_with_the_score(ann_in_red: redis.Redis) -> None:
    assert details(ann_in_red) == {"ann": RED}


@pytest.mark.parametrize("epoch", [0, 1])
def test_a_score_that_wins_replaces_them(ann_in_red: redis.Redis, epoch: int) -> None:
    apply(("ann", epoch, 11), details={"ann": BLUE})

    assert details(ann_in_red) == {"ann": BLUE}


@pytest.mark.parametrize("epoch", [0, 1])
def test_a_score_that_wins_without_details_removes_them(ann_in_red: redis.Redis, epoch: int) -> None:
    apply(("ann", epoch, 11))

    assert not ann_in_red.exists(DETAILS)


def test_a_late_score_that_loses_leaves_them(ann_in_red: redis.Redis) -> None:
    apply(raises={"ann": 9}, details={"ann": BLUE})
    apply(raises={"ann": 9})

    assert details(ann_in_red) == {"ann": RED}


def test_a_refused_score_leaves_them_even_if_it_is_the_same(boards_redis: redis.Redis) -> None:
    apply(("ann", 2, 10), details={"ann": RED})

    assert apply(("ann", 1, 10), details={"ann": BLUE}) == 1
    assert apply(raises={"ann": 10}, details={"ann": BLUE}) == 1
    assert apply(("ann", 1, None)) == 1

    assert details(boards_redis) == {"ann": RED}


def test_who_is_removed_takes_them_away(ann_in_red: redis.Redis) -> None:
    apply(raises={"bob": 5}, details={"bob": BLUE})

    apply(("ann", 1, None))

    assert details(ann_in_red) == {"bob": BLUE}


def test_players_without_details_cost_no_key(boards_redis: redis.Redis) -> None:
    apply(("bob", 1, 5), raises={"ann": 10})

    assert sorted(boards_redis.keys()) == sorted([LIVE, FENCE])


def test_details_of_thousands_fit_one_call(boards_redis: redis.Redis) -> None:
    players = {f"player-{n}": n for n in range(3000)}

    apply(raises=players, details=dict.fromkeys(players, RED))

    assert boards_redis.hlen(DETAILS) == 3000


@pytest.fixture
def rebuilding(ann_in_red: redis.Redis) -> redis.Redis:
    ann_in_red.set(LEASE, "somebody", ex=60)
    return ann_in_red


def test_while_a_rebuild_runs_they_go_to_both_copies(rebuilding: redis.Redis) -> None:
    apply(("eve", 1, 7), raises={"ann": 11}, details={"ann": BLUE, "eve": RED})

    assert details(rebuilding) == details(rebuilding, STAGING_DETAILS) == {"ann": BLUE, "eve": RED}
    left_ms = rebuilding.pttl(STAGING_DETAILS) - rebuilding.pttl(LEASE)
    assert 59_900 <= left_ms <= 60_100


def test_each_copy_has_the_details_of_its_own_score(rebuilding: redis.Redis) -> None:
    """The loader has brought a newer row than the worker has read."""
    rebuilding.zadd(STAGING, {"ann": 12})
    rebuilding.hset(STAGING_DETAILS, "ann", BLUE)

    apply(raises={"ann": 11})

    assert details(rebuilding) == {}
    assert details(rebuilding, STAGING_DETAILS) == {"ann": BLUE}


def test_a_score_that_only_staging_takes_has_its_details_there(rebuilding: redis.Redis) -> None:
    """A closed board that Redis lost is being rebuilt: the live one must not begin anew."""
    rebuilding.delete(LIVE, DETAILS)

    apply(raises={"ann": 11}, details={"ann": BLUE}, may_begin=False)

    assert not rebuilding.exists(LIVE, DETAILS)
    assert details(rebuilding, STAGING_DETAILS) == {"ann": BLUE}


def test_a_removal_goes_to_both(rebuilding: redis.Redis) -> None:
    apply(raises={"ann": 11}, details={"ann": BLUE})

    apply(("ann", 1, None))

    assert not rebuilding.exists(DETAILS, STAGING_DETAILS)
