"""Every expiring key has its expiry from its first write, and no later write lengthens it."""

from datetime import timedelta

import pytest
import redis

from boards import store
from boards.board_ids import KEPT
from boards.keys import board_keys
from boards.writes import PeriodBoards, ShownPlayer
from scoring.periods import ALL_TIME, PeriodKind, Window, window_at
from scoring.totals import PeriodInfo
from tests.boards.bare_boards import DAY_KEYS, NOW, RULES, apply

LIVE, STAGING, FENCE, LEASE = DAY_KEYS[:4]
DAY_SECONDS = 691_200
DAYS = {PeriodKind.DAY: 8, PeriodKind.WEEK: 35, PeriodKind.MONTH: 100}


def show(window: Window, points: int = 10, epoch: int = 0, seconds_later: int = 0) -> str:
    """Write a player's row as apply does; the live key."""
    boards = PeriodBoards(RULES, PeriodInfo("quiz", window.label, 0), NOW + timedelta(seconds=seconds_later))
    boards.show(ShownPlayer("ann", "{}", (), False), points, 1, epoch, None)
    store.run(boards.calls())
    return board_keys(f"quiz:{window.label}:global").live


def test_a_fresh_day_lives_691200_seconds(boards_redis: redis.Redis) -> None:
    key = show(window_at(PeriodKind.DAY, RULES.calendar, NOW))

    assert boards_redis.ttl(key) == DAY_SECONDS


@pytest.mark.parametrize("kind", DAYS)
def test_calendar_boards_live_as_long_as_their_kind_says(boards_redis: redis.Redis, kind: PeriodKind) -> None:
    key = show(window_at(kind, RULES.calendar, NOW))

    assert boards_redis.ttl(key) == DAYS[kind] * 86_400


@pytest.mark.parametrize("epoch", [0, 1])
def test_seasons_and_all_time_live_for_ever(boards_redis: redis.Redis, epoch: int) -> None:
    season = show(Window(PeriodKind.SEASON, "s42", NOW, None), epoch=epoch)
    ever = show(ALL_TIME, epoch=epoch)

    assert boards_redis.ttl(season) == boards_redis.ttl(ever) == -1
    assert boards_redis.ttl(board_keys("quiz:s42:global").fence) == (-1 if epoch else -2)


def test_every_kind_of_period_has_a_time_to_live() -> None:
    assert KEPT.keys() == set(PeriodKind)


@pytest.mark.parametrize("epoch", [0, 1])
def test_a_later_write_does_not_lengthen_it(boards_redis: redis.Redis, epoch: int) -> None:
    apply(raises={"ann": 1}, keys=DAY_KEYS, kept_seconds=DAY_SECONDS)
    boards_redis.expire(LIVE, 1000)

    apply(("ann", epoch, 5), raises={"bob": 2}, keys=DAY_KEYS, kept_seconds=DAY_SECONDS)

    assert 990 <= boards_redis.ttl(LIVE) <= 1000


def test_a_board_that_only_its_fence_is_left_of_ends_when_it_would_have(boards_redis: redis.Redis) -> None:
    apply(("eve", 1, None), keys=DAY_KEYS, kept_seconds=DAY_SECONDS)
    boards_redis.expire(FENCE, 1000)

    apply(raises={"ann": 1}, details={"ann": "{}"}, keys=DAY_KEYS, kept_seconds=DAY_SECONDS)

    for key in (LIVE, FENCE, DAY_KEYS.details):
        assert 990 <= boards_redis.ttl(key) <= 1000


def test_a_fence_alone_expires_too(boards_redis: redis.Redis) -> None:
    apply(("eve", 1, None), keys=DAY_KEYS, kept_seconds=DAY_SECONDS)

    assert not boards_redis.exists(LIVE)
    assert boards_redis.ttl(FENCE) == DAY_SECONDS


def test_a_missing_board_of_a_closed_period_does_not_begin_anew(boards_redis: redis.Redis) -> None:
    assert apply(("bob", 1, 5), raises={"ann": 1}, keys=DAY_KEYS, kept_seconds=DAY_SECONDS, may_begin=False) == 0

    assert boards_redis.dbsize() == 0


def test_a_board_of_a_closed_period_that_is_there_is_corrected(boards_redis: redis.Redis) -> None:
    apply(raises={"ann": 9, "bob": 5}, keys=DAY_KEYS, kept_seconds=DAY_SECONDS)

    apply(("ann", 1, 3), keys=DAY_KEYS, kept_seconds=DAY_SECONDS, may_begin=False)

    assert boards_redis.zrange(LIVE, 0, -1) == ["ann", "bob"]


@pytest.mark.parametrize(("seconds_after_the_end", "begins"), [(-1, True), (599, True), (600, False)])
def test_a_board_may_begin_until_the_grace_of_its_period_is_over(
    boards_redis: redis.Redis, seconds_after_the_end: int, begins: bool
) -> None:
    window = window_at(PeriodKind.DAY, RULES.calendar, NOW)
    assert window.ends_at is not None

    key = show(window, seconds_later=int((window.ends_at - NOW).total_seconds()) + seconds_after_the_end)

    assert boards_redis.exists(key) == begins


def test_who_was_alone_on_a_closed_board_comes_back_when_unflagged(boards_redis: redis.Redis) -> None:
    """Removing its only player makes Redis drop the key; that is no board that has expired."""
    apply(raises={"ann": 9}, keys=DAY_KEYS, kept_seconds=DAY_SECONDS)
    boards_redis.expire(LIVE, 1000)
    apply(("ann", 1, None), keys=DAY_KEYS, kept_seconds=DAY_SECONDS)

    apply(("ann", 2, 9), keys=DAY_KEYS, kept_seconds=DAY_SECONDS, may_begin=False)

    assert boards_redis.zrange(LIVE, 0, -1) == ["ann"]
