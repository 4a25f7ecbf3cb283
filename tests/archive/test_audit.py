"""The expiry audit mends what expires wrongly, and touches nothing else."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest
import redis
from django.test import Client

from boards.board_ids import KEPT
from boards.keys import board_keys
from boards.store import BoardsUnavailable
from rebuilds import audit
from rebuilds.audit import audit_expiry
from rebuilds.models import ExpiryFind
from scoring.models import Period, Player
from scoring.moderation.decisions import Decision
from scoring.moderation.flagging import flag_player
from tests.archive.past import DAY, close_at, closing_of
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db

DAY_MS = 86_400_000
DAY_BOARD = board_keys("quiz:day:2026-10-19:global")
CITY_BOARD = board_keys("quiz:day:2026-10-19:city:hyd")
ALL_BOARD = board_keys("quiz:all:global")


@pytest.fixture(autouse=True)
def boards(boards_redis: redis.Redis) -> None:
    """Boards with everything that belongs to them: details, and the fence of a flagged player."""
    LeaderboardFactory.create(period_kinds=["day", "week", "month", "all"], scopes=["city"], is_public=False)
    accept_all(score("ann", 20, details={"lap": 1}, segments={"city": "hyd"}), score("bob", 10))
    flag_player("bob", Decision("a test", "cheated", NOW))
    deliver()


def run(now: datetime = NOW) -> Counter[str]:
    return audit_expiry(lambda: now)


def expiries(client: redis.Redis) -> dict[str, int]:
    """Milliseconds left, to the second."""
    return {key: round(client.pttl(key), -3) for key in client.scan_iter("*lb:*")}


def test_what_the_service_writes_is_all_right(boards_redis: redis.Redis) -> None:
    before = expiries(boards_redis)

    assert run() == Counter()
    assert {DAY_BOARD.live, DAY_BOARD.fence, DAY_BOARD.details, ALL_BOARD.fence} < before.keys()
    assert expiries(boards_redis) == pytest.approx(before, abs=1000)


@pytest.mark.parametrize("key", [DAY_BOARD.fence, DAY_BOARD.details, CITY_BOARD.live])
def test_a_key_without_an_expiry_gets_that_of_its_board(boards_redis: redis.Redis, key: str) -> None:
    if key != CITY_BOARD.live:
        boards_redis.pexpire(DAY_BOARD.live, 5 * DAY_MS)
    else:
        boards_redis.pexpire(CITY_BOARD.details, 5 * DAY_MS)
    boards_redis.persist(key)

    assert run() == Counter(no_expiry=1)
    assert 0 < boards_redis.pttl(key) <= 5 * DAY_MS
    assert run() == Counter()


def test_a_board_that_has_lost_all_expiries_lives_as_long_as_a_new_one(boards_redis: redis.Redis) -> None:
    for key in (DAY_BOARD.live, DAY_BOARD.fence, DAY_BOARD.details):
        boards_redis.persist(key)

    assert run() == Counter(no_expiry=3)
    assert {boards_redis.ttl(key) for key in (DAY_BOARD.live, DAY_BOARD.fence)} <= {691_200, 691_199}


@pytest.mark.parametrize("kind", ["day", "week", "month"])
def test_what_lives_longer_than_its_rule_is_cut(boards_redis: redis.Redis, kind: str) -> None:
    live = board_keys(f"quiz:{Period.objects.get(kind=kind).label}:global").live
    kept = KEPT[kind]  # type: ignore[index]  # a StrEnum's value is a key too
    assert kept is not None
    boards_redis.expire(live, int(kept.total_seconds()) + 60)

    assert run() == Counter(lives_too_long=1)
    assert boards_redis.ttl(live) <= kept.total_seconds()


@pytest.mark.parametrize("key", [ALL_BOARD.live, ALL_BOARD.fence, ALL_BOARD.details])
def test_what_is_kept_for_ever_loses_an_expiry(boards_redis: redis.Redis, key: str) -> None:
    boards_redis.expire(key, 1000)

    assert run() == Counter(expires_though_kept=1)
    assert boards_redis.ttl(key) == -1


@pytest.mark.parametrize("keys", [DAY_BOARD, ALL_BOARD])
def test_staging_leftovers_without_a_lease_go(boards_redis: redis.Redis, keys: Any) -> None:
    boards_redis.zadd(keys.staging, {"ann": 1})
    boards_redis.hset(keys.staging_details, "ann", "{}")

    assert run() == Counter(staging_leftover=2)
    assert not boards_redis.exists(keys.staging, keys.staging_details)


def test_a_rebuild_that_is_under_way_is_left_alone(boards_redis: redis.Redis) -> None:
    boards_redis.set(DAY_BOARD.lease, "token", px=60_000)
    boards_redis.zadd(DAY_BOARD.staging, {"ann": 1})
    boards_redis.pexpire(DAY_BOARD.staging, 110_000)

    assert run() == Counter()
    assert boards_redis.exists(DAY_BOARD.staging)


def test_a_lease_without_an_end_gets_one_and_its_staging_board_too(boards_redis: redis.Redis) -> None:
    boards_redis.set(DAY_BOARD.lease, "token")
    boards_redis.zadd(DAY_BOARD.staging, {"ann": 1})

    assert run() == Counter(lease_without_end=1, staging_leftover=1)
    assert 0 < boards_redis.pttl(DAY_BOARD.lease) <= 60_000
    assert 60_000 < boards_redis.pttl(DAY_BOARD.staging) <= 120_000


def test_what_would_expire_before_it_is_archived_lives_on(boards_redis: redis.Redis) -> None:
    for key in (DAY_BOARD.live, DAY_BOARD.fence, DAY_BOARD.details):
        boards_redis.expire(key, 60)

    assert run(closing_of(Period.objects.get(kind="day"))) == Counter(expires_before_archive=1)
    for key in (DAY_BOARD.live, DAY_BOARD.fence, DAY_BOARD.details):
        assert 86_000 < boards_redis.ttl(key) <= 86_400


def test_what_is_archived_may_expire(boards_redis: redis.Redis) -> None:
    day = Period.objects.get(kind="day")
    close_at(closing_of(day))
    boards_redis.expire(DAY_BOARD.live, 60)

    assert run(closing_of(day) + timedelta(seconds=2)) == Counter()
    assert boards_redis.ttl(DAY_BOARD.live) <= 60


@pytest.mark.parametrize("key", ["lb:nope:all:global", "lb:quiz:s99:global", "{lb:quiz:nonsense}:fence"])
def test_boards_that_nobody_knows_are_told_and_left_alone(boards_redis: redis.Redis, key: str) -> None:
    boards_redis.set(key, "x")

    assert run() == Counter(unknown_board=1)
    assert boards_redis.ttl(key) == -1


def test_keys_of_other_things_are_not_looked_at(boards_redis: redis.Redis) -> None:
    boards_redis.set("xlb:quiz", "x")
    boards_redis.set("{lb:quiz", "x")
    boards_redis.set("celery", "lb:")

    assert run() == Counter()


def test_all_of_many_boards_are_looked_at(boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "KEYS_A_STEP", 10)
    for number in range(200):
        boards_redis.zadd(f"lb:quiz:day:2026-10-19:city:c{number}", {"ann": 1})

    assert run() == Counter(no_expiry=200)
    assert not [key for key in boards_redis.scan_iter("lb:quiz:day:*") if boards_redis.ttl(key) == -1]


@pytest.mark.usefixtures("redis_away")
def test_with_redis_away_it_says_so() -> None:
    with pytest.raises(BoardsUnavailable):
        run()


def test_finds_are_counted_and_shown_in_the_metrics(boards_redis: redis.Redis) -> None:
    for _ in range(2):
        boards_redis.expire(ALL_BOARD.live, 1000)
        run(NOW + DAY)

    find = ExpiryFind.objects.get()
    assert (find.found, find.count, find.last_board) == ("expires_though_kept", 2, "quiz:all:global")
    response: Any = Client().get("/metrics")
    assert b'leaderboard_expiry_finds_total{found="expires_though_kept"} 2.0' in response.content


def test_a_late_event_does_not_lengthen_the_life_of_a_day_board(boards_redis: redis.Redis) -> None:
    keys = (DAY_BOARD.live, DAY_BOARD.fence, DAY_BOARD.details, CITY_BOARD.live)
    for key in keys:
        boards_redis.pexpire(key, 5 * DAY_MS)
    late = NOW + timedelta(hours=9, minutes=20)
    assert Period.objects.get(kind="day").ends_at < late  # type: ignore[operator]

    accept_all(score("ann", 5, occurred_at=NOW, details={"lap": 2}), score("eve", 5, occurred_at=NOW), now=late)
    deliver(late)

    assert boards_redis.zcard(DAY_BOARD.live) == 2
    assert Player.objects.filter(player_id="eve").exists()
    assert {round(boards_redis.pttl(key), -4) for key in keys} == {5 * DAY_MS}
