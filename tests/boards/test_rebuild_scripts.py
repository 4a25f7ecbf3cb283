"""Mark, load, swap, abandon: only whoever has the lease changes anything, and the live board is whole at any moment."""

import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boards import staging
from boards.staging import LEASE_MS, StagedRow, StagedRows
from tests.boards.bare_boards import BOARD, DAY, DAY_KEYS, KEYS, apply, scores

LIVE, STAGING, FENCE, LEASE, DETAILS, STAGING_DETAILS = KEYS[:6]
DAY_SECONDS = 691_200
MINE, OTHER = "mine", "other"
RED, BLUE = '{"car": "red"}', '{"car": "blue"}'


def mark(token: str = MINE) -> bool:
    return staging.mark(BOARD.id, token)


def load(*rows: StagedRow, token: str = MINE) -> bool:
    return staging.load(BOARD.id, token, [StagedRows.of(rows)])


def swap(token: str = MINE, kept_seconds: int = 0) -> bool:
    return staging.swap(BOARD.id, token, kept_seconds)


def row(player_id: str, score: int, epoch: int = 0, details: str | None = None) -> StagedRow:
    return StagedRow(player_id, epoch, score, details)


@pytest.fixture
def marked(boards_redis: redis.Redis) -> redis.Redis:
    """A board with ann on 100, bob removed in epoch 2; our rebuild has begun."""
    apply(("bob", 2, None), raises={"ann": 100})
    assert mark()
    return boards_redis


def test_one_rebuild_a_board(marked: redis.Redis) -> None:
    load(row("ann", 100))

    assert not mark(OTHER)
    assert not load(row("ann", 5), token=OTHER)
    assert not swap(OTHER)
    staging.abandon(BOARD.id, OTHER)

    assert marked.get(LEASE) == MINE
    assert scores(marked, STAGING) == {"ann": 100}


def test_marking_again_keeps_what_is_loaded(marked: redis.Redis) -> None:
    load(row("ann", 100))
    marked.pexpire(LEASE, 5_000)

    assert mark()

    assert scores(marked, STAGING) == {"ann": 100}
    assert marked.pttl(LEASE) > 50_000


def test_what_a_dead_rebuild_left_is_gone_when_the_next_begins(marked: redis.Redis) -> None:
    """It has missed the writes since its lease ran out."""
    load(row("eve", 100, details=RED))
    marked.delete(LEASE)

    assert mark(OTHER)

    assert not marked.exists(STAGING, STAGING_DETAILS)
    assert not load(row("eve", 1))


def test_loading_writes_staging_alone_and_renews_lease_and_expiry(marked: redis.Redis) -> None:
    marked.pexpire(LEASE, 5_000)

    assert load(row("ann", 90), row("eve", 10, details=RED))

    assert scores(marked, LIVE) == {"ann": 100}
    assert scores(marked, STAGING) == {"ann": 90, "eve": 10}
    assert marked.hgetall(STAGING_DETAILS) == {"eve": RED}
    assert not marked.exists(DETAILS)
    assert 50_000 < marked.pttl(LEASE) <= LEASE_MS
    for key in (STAGING, STAGING_DETAILS):
        assert LEASE_MS < marked.pttl(key) <= LEASE_MS + 60_000


def test_loading_asks_the_fence_and_never_moves_it(marked: redis.Redis) -> None:
    load(row("bob", 50), row("bob", 60, epoch=1))
    assert scores(marked, STAGING) == {}

    load(row("bob", 50, epoch=2), row("eve", 10, epoch=3))

    assert scores(marked, STAGING) == {"bob": 50, "eve": 10}
    assert marked.hgetall(FENCE) == {"bob": "2"}


def test_within_an_epoch_the_higher_score_stays_a_newer_epoch_overrules(marked: redis.Redis) -> None:
    apply(("bob", 2, 70), raises={"ann": 120})

    load(row("ann", 110), row("bob", 60, epoch=2))
    assert scores(marked, STAGING) == {"ann": 120, "bob": 70}

    load(row("ann", 30, epoch=1), row("bob", 20, epoch=3))
    assert scores(marked, STAGING) == {"ann": 30, "bob": 20}
    assert scores(marked, LIVE) == {"ann": 120, "bob": 70}


def test_details_belong_to_the_score_that_staging_shows(marked: redis.Redis) -> None:
    apply(raises={"ann": 120, "eve": 7}, details={"ann": BLUE, "eve": BLUE})

    load(row("ann", 110, details=RED), row("eve", 8))

    assert marked.hgetall(STAGING_DETAILS) == {"ann": BLUE}
    assert marked.hgetall(DETAILS) == {"ann": BLUE, "eve": BLUE}


@pytest.mark.parametrize("epoch", [0, 1])
@pytest.mark.parametrize("fenced", [False, True])
def test_thousands_of_rows_fit_one_call(boards_redis: redis.Redis, fenced: bool, epoch: int) -> None:
    if fenced:
        apply(("player-1", 5, None), ("player-4500", 5, None))
    mark()

    assert load(*(row(f"player-{n}", n, epoch=epoch, details=RED) for n in range(4501)))

    assert boards_redis.zcard(STAGING) == boards_redis.hlen(STAGING_DETAILS) == (4499 if fenced else 4501)


def test_swapping_puts_staging_in_the_place_of_live(marked: redis.Redis) -> None:
    load(row("eve", 10, details=RED))

    assert swap()

    assert scores(marked, LIVE) == {"eve": 10}
    assert marked.hgetall(DETAILS) == {"eve": RED}
    assert marked.hgetall(FENCE) == {"bob": "2"}
    assert sorted(marked.keys()) == sorted([LIVE, DETAILS, FENCE])
    assert marked.ttl(LIVE) == marked.ttl(DETAILS) == marked.ttl(FENCE) == -1


def test_swapping_twice_does_it_once(marked: redis.Redis) -> None:
    load(row("eve", 10))

    assert swap()
    assert not swap()

    assert scores(marked, LIVE) == {"eve": 10}


def test_without_the_lease_nothing_is_swapped(marked: redis.Redis) -> None:
    load(row("eve", 10))
    marked.delete(LEASE)

    assert not swap()

    assert scores(marked, LIVE) == {"ann": 100}


def test_an_empty_staging_board_empties_the_live_one(marked: redis.Redis) -> None:
    apply(raises={"eve": 1}, details={"eve": RED})
    marked.delete(STAGING, STAGING_DETAILS)

    assert swap()

    assert marked.keys() == [FENCE]


@pytest.mark.parametrize("left_ms", [1_000, 100_000_000])
def test_the_time_left_stays(boards_redis: redis.Redis, left_ms: int) -> None:
    apply(raises={"ann": 1}, details={"ann": RED}, keys=DAY_KEYS, kept_seconds=DAY_SECONDS)
    boards_redis.pexpire(DAY_KEYS.live, left_ms)
    staging.mark(DAY.id, MINE)
    staging.load(DAY.id, MINE, [StagedRows.of([row("ann", 2, details=BLUE)])])

    assert staging.swap(DAY.id, MINE, DAY_SECONDS)

    for key in (DAY_KEYS.live, DAY_KEYS.details):
        assert left_ms - 900 < boards_redis.pttl(key) <= left_ms


def test_a_board_that_was_not_there_lives_as_its_rule_says(boards_redis: redis.Redis) -> None:
    staging.mark(DAY.id, MINE)
    staging.load(DAY.id, MINE, [StagedRows.of([row("ann", 2)])])

    assert staging.swap(DAY.id, MINE, DAY_SECONDS)

    assert boards_redis.ttl(DAY_KEYS.live) == DAY_SECONDS


def test_a_board_that_only_its_fence_is_left_of_ends_with_it(boards_redis: redis.Redis) -> None:
    apply(("eve", 1, None), keys=DAY_KEYS, kept_seconds=DAY_SECONDS)
    boards_redis.expire(DAY_KEYS.fence, 1000)
    staging.mark(DAY.id, MINE)
    staging.load(DAY.id, MINE, [StagedRows.of([row("ann", 2)])])

    staging.swap(DAY.id, MINE, DAY_SECONDS)

    assert 998 <= boards_redis.ttl(DAY_KEYS.live) <= 1000


def test_giving_up_leaves_the_live_board_and_nothing_else(marked: redis.Redis) -> None:
    load(row("eve", 10, details=RED))

    staging.abandon(BOARD.id, MINE)
    staging.abandon(BOARD.id, MINE)

    assert sorted(marked.keys()) == sorted([LIVE, FENCE])
    assert scores(marked, LIVE) == {"ann": 100}


rows = st.builds(row, st.sampled_from(["ann", "bob", "eve"]), st.integers(0, 50), st.integers(0, 3))
portions = st.lists(rows, max_size=3, unique_by=lambda one: one.player_id)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(rows, max_size=6), portions)
def test_loading_again_changes_nothing(
    boards_redis: redis.Redis, dual: list[StagedRow], loaded: list[StagedRow]
) -> None:
    boards_redis.flushdb()
    mark()
    apply(*((player_id, epoch, packed) for player_id, epoch, packed, _ in dual))
    load(*loaded)
    before = scores(boards_redis, STAGING)

    load(*loaded)

    assert scores(boards_redis, STAGING) == before
