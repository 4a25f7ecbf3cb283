"""Closed boards after a loss: what the archive answers for is neither kept from an old file nor rebuilt; all else stays."""

from datetime import timedelta
from typing import Any

import pytest
import redis

from boards.archived_periods import forget_archived_periods
from boards.keys import board_keys
from boards.models import ArchivedPeriod
from rebuilds.models import BoardJob
from scoring.models import Leaderboard, Period
from scoring.rules import forget_rules
from tests.archive.past import close_at, closing_of
from tests.boards_truth import differences, shown_board_ids
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept, accept_all, codes, score
from tests.rebuilds.working import work
from tests.recovery.by_hand import Dump, dump, go_on, look, noted, recover, restore

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
TEN_MINUTES = timedelta(minutes=10)
DAY_BOARDS = {"quiz:day:2026-10-19:global", "quiz:day:2026-10-19:city:hyd"}
ALL_BOARDS = {"quiz:all:global", "quiz:all:city:hyd"}


@pytest.fixture
def day(boards_redis: redis.Redis) -> Period:
    """Boards of a day and of all time, global and of a city, with details and a fence."""
    LeaderboardFactory.create(period_kinds=["day", "all"], scopes=["city"], min_points=-1000)
    hyd: Any = {"segments": {"city": "hyd"}}
    accept_all(score("ann", 30, details={"lap": 1}, **hyd), score("bob", 20, **hyd), score("ann", -5))
    deliver()
    assert look() is None
    return Period.objects.get(kind="day")


@pytest.fixture
def old(day: Period, boards_redis: redis.Redis) -> Dump:
    """What Redis had before the last score of the day."""
    before = dump(boards_redis)
    accept_all(score("bob", 25), now=NOW + TEN_MINUTES)
    deliver(NOW + TEN_MINUTES)
    return before


def archive(day: Period) -> None:
    """The day is closed, its standings are written, and this process knows it."""
    look(closing_of(day))
    assert close_at(closing_of(day)) == 1
    forget_archived_periods()


def test_of_an_old_file_the_boards_of_archived_periods_go_with_all_that_belongs_to_them(
    day: Period, old: Dump, boards_redis: redis.Redis
) -> None:
    archive(day)
    restore(boards_redis, old)
    assert shown_board_ids("quiz") > DAY_BOARDS

    recovery = recover(closing_of(day) + TEN_MINUTES)

    assert recovery.loss == "old"
    assert not list(boards_redis.scan_iter("*day*"))
    assert shown_board_ids("quiz") == ALL_BOARDS
    assert not [difference for difference in differences() if difference.board in ALL_BOARDS]


def test_a_closed_board_that_is_not_archived_stays(day: Period, old: Dump, boards_redis: redis.Redis) -> None:
    closed = closing_of(day) - timedelta(seconds=5)
    look(closed)
    restore(boards_redis, old)

    recover(closed + timedelta(seconds=1))

    assert shown_board_ids("quiz") > DAY_BOARDS
    assert not differences()


def test_what_is_archived_is_not_rebuilt(day: Period, boards_redis: redis.Redis) -> None:
    archive(day)
    boards_redis.flushall()
    noted(closing_of(day))
    go_on(closing_of(day))

    assert set(BoardJob.objects.values_list("board", flat=True)) == ALL_BOARDS


def test_what_is_closed_but_not_archived_is_rebuilt_last(day: Period, boards_redis: redis.Redis) -> None:
    closed = closing_of(day) - timedelta(seconds=5)
    look(closed)
    boards_redis.flushall()
    noted(closed)
    go_on(closed)

    asked = list(BoardJob.objects.order_by("id").values_list("board", flat=True))
    assert asked == ["quiz:all:global", "quiz:all:city:hyd", "quiz:day:2026-10-19:global"]


def test_the_loss_of_the_last_writes_leaves_closed_boards_as_they_are(
    day: Period, old: Dump, boards_redis: redis.Redis
) -> None:
    archive(day)
    restore(boards_redis, {**dump(boards_redis), "lb-heartbeat": old["lb-heartbeat"]}, older_by=-closing_gap(day))

    assert recover(closing_of(day) + timedelta(seconds=1)).loss == "tail"

    assert shown_board_ids("quiz") == DAY_BOARDS | ALL_BOARDS


def closing_gap(day: Period) -> timedelta:
    return closing_of(day) - NOW - timedelta(seconds=1)


def test_a_late_write_does_not_begin_a_board_that_went(day: Period, boards_redis: redis.Redis) -> None:
    archive(day)
    boards_redis.flushall()
    recover(closing_of(day))

    deliver(closing_of(day))
    accept_all(score("eve", 5), now=closing_of(day))
    deliver(closing_of(day))

    assert not boards_redis.exists(*board_keys("quiz:day:2026-10-19:global"))


def test_a_period_that_is_opened_once_more_has_its_boards_again(day: Period, boards_redis: redis.Redis) -> None:
    archive(day)
    boards_redis.flushall()
    recover(closing_of(day))
    now = closing_of(day) + timedelta(seconds=5)
    lengthen_grace(HOUR)

    close_at(now)
    work(now)

    assert not differences()
    assert shown_board_ids("quiz") > DAY_BOARDS
    before = BoardJob.objects.count()
    close_at(now + timedelta(seconds=5))
    assert BoardJob.objects.count() == before


def test_an_opening_that_is_taken_back_leaves_no_score_out_of_the_archive(day: Period) -> None:
    archive(day)
    now = closing_of(day) + timedelta(seconds=5)
    lengthen_grace(HOUR)
    close_at(now)
    assert codes(accept(score("bob", 50, occurred_at=NOW), now=now)) == ["accepted"]
    lengthen_grace(-HOUR)

    assert close_at(now + timedelta(seconds=20)) == 1

    archived = ArchivedPeriod.objects.get(period=day)
    assert archived.boards.get(scope="global").entries.get(player__player_id="bob").points == 70
    assert (archived.is_open_again, archived.is_outdated) == (False, False)
    assert close_at(now + timedelta(seconds=30)) == 0


def lengthen_grace(by: timedelta) -> None:
    leaderboard = Leaderboard.objects.get()
    leaderboard.grace_seconds += int(by.total_seconds())
    leaderboard.save()
    forget_rules()
