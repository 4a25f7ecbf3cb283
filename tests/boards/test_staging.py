"""While a rebuild runs, every write goes to both copies, with one decision."""

import pytest
import redis

from tests.boards.bare_boards import KEYS, apply, scores

LIVE, STAGING, FENCE, LEASE = KEYS[:4]
LEASE_SECONDS = 60


@pytest.fixture
def rebuilding(boards_redis: redis.Redis) -> redis.Redis:
    """A board with ann on 100, bob removed in epoch 2, and a rebuild that has loaded nothing yet."""
    apply(("bob", 2, None), raises={"ann": 100})
    boards_redis.set(LEASE, "somebody", ex=LEASE_SECONDS)
    return boards_redis


def copies(client: redis.Redis) -> list[dict[str, float]]:
    return [scores(client, key) for key in (LIVE, STAGING)]


def test_without_a_rebuild_there_is_no_staging_board(boards_redis: redis.Redis) -> None:
    apply(("bob", 1, 5), raises={"ann": 1})

    assert not boards_redis.exists(STAGING)


def test_raises_corrections_and_removals_go_to_both(rebuilding: redis.Redis) -> None:
    rebuilding.zadd(STAGING, {"ann": 100, "eve": 10})

    apply(("ann", 1, 70), ("eve", 1, None), raises={"new": 5})

    assert copies(rebuilding) == [{"ann": 70, "new": 5}] * 2


def test_what_one_refuses_the_other_does_not_take_either(rebuilding: redis.Redis) -> None:
    assert apply(("bob", 1, 900), raises={"bob": 900}) == 2

    assert copies(rebuilding) == [{"ann": 100}, {}]


def test_a_raise_never_lowers_what_the_loader_brought(rebuilding: redis.Redis) -> None:
    rebuilding.zadd(STAGING, {"ann": 120})

    apply(raises={"ann": 110})

    assert copies(rebuilding) == [{"ann": 110}, {"ann": 120}]


def test_thousands_go_to_both(rebuilding: redis.Redis) -> None:
    apply(raises={f"player-{n}": n for n in range(2500)})

    assert rebuilding.zcard(STAGING) == 2500
    assert rebuilding.zcard(LIVE) == 2501


def test_a_staging_board_that_a_write_begins_goes_a_minute_after_the_lease(rebuilding: redis.Redis) -> None:
    apply(raises={"ann": 110})

    left_ms = rebuilding.pttl(STAGING) - rebuilding.pttl(LEASE)
    assert 59_900 <= left_ms <= 60_100


def test_a_staging_board_that_was_there_keeps_its_expiry(rebuilding: redis.Redis) -> None:
    rebuilding.zadd(STAGING, {"ann": 100})
    rebuilding.expire(STAGING, 1000)

    apply(raises={"ann": 110})

    assert 990 <= rebuilding.ttl(STAGING) <= 1000


def test_a_correction_reaches_staging_though_the_live_board_is_gone_and_may_not_begin(rebuilding: redis.Redis) -> None:
    """A closed board that Redis lost is being rebuilt: the loader has read ann's row before she was flagged."""
    rebuilding.delete(LIVE)
    rebuilding.zadd(STAGING, {"ann": 100, "eve": 10})

    apply(("ann", 1, None), may_begin=False)

    assert copies(rebuilding) == [{}, {"eve": 10}]
