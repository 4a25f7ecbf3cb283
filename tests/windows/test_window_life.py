"""How long a custom window lives, and how many there may be."""

from datetime import timedelta
from typing import Any

import pytest
import redis

from boards.erasure import finish_erasures
from boards.keys import WINDOWS, board_keys, built_key
from boards.windows import FOLLOWED, LISTED, BoardBuilding, TooManyWindows, count_living, list_followed
from rebuilds.audit import audit_expiry
from rebuilds.models import BoardJob
from rebuilds.windows import PAUSE, ask_builds
from scoring.models import OutboxEvent
from scoring.moderation.erasing import REMEMBERED
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.faults.waiting import eventually
from tests.moderation import acts
from tests.rebuilds.working import work
from tests.windows.asking import DAY, HYD, WINDOW, build, lines, top

pytestmark = pytest.mark.django_db(transaction=True)

KEYS = board_keys(WINDOW)
BUILT = built_key(WINDOW)
KEPT = timedelta(seconds=60)


@pytest.fixture
def quiz(boards_redis: redis.Redis) -> redis.Redis:
    LeaderboardFactory.create(period_kinds=["day"], scopes=["city"], min_points=-1000)
    accept_all(score("ann", 30, details={"n": 1}), score("bob", 20, segments={"city": "hyd"}), now=NOW - DAY)
    deliver()
    return boards_redis


def keys_of(client: redis.Redis, board_id: str = WINDOW) -> set[str]:
    return {key for key in client.scan_iter("*lb:*") if board_id in key}


def test_each_read_renews_the_minute_and_nothing_else_does(quiz: redis.Redis) -> None:
    build(WINDOW)
    for key in (KEYS.live, KEYS.details, BUILT):
        assert 58_000 < quiz.pttl(key) <= 60_000
        quiz.pexpire(key, 20_000)

    accept_all(score("ann", -10, details={"n": 2}))
    deliver()
    assert {quiz.ttl(key) for key in (KEYS.live, KEYS.details, BUILT)} <= {19, 20}
    assert quiz.ttl(KEYS.fence) in (59, 60)
    top()
    assert {quiz.ttl(key) for key in (KEYS.live, KEYS.details, BUILT)} <= {59, 60}


def test_after_its_last_use_a_window_goes_with_all_that_belongs_to_it(quiz: redis.Redis, settings: Any) -> None:
    settings.WINDOW_KEPT_SECONDS = 1
    build(WINDOW)
    assert keys_of(quiz) == {KEYS.live, KEYS.details, BUILT}

    eventually(lambda: keys_of(quiz) == set(), lambda: str(keys_of(quiz)))
    with pytest.raises(BoardBuilding):
        top()
    assert ask_builds(NOW) == 1
    work()
    assert lines() == [(1, "ann", 30), (2, "bob", 20)]


def test_a_window_that_all_have_left_stays_until_nobody_asks_for_it(quiz: redis.Redis) -> None:
    build(HYD)

    acts.flag("bob")
    deliver()

    assert lines(HYD) == []
    assert not quiz.exists(board_keys(HYD).live)
    acts.unflag("bob")
    deliver()
    assert lines(HYD) == [(1, "bob", 20)]
    assert quiz.ttl(board_keys(HYD).live) in (59, 60)


def test_there_are_so_many_at_once_and_one_more_when_another_has_gone(quiz: redis.Redis, settings: Any) -> None:
    settings.WINDOWS_AT_ONCE = 2
    build(WINDOW, HYD)
    other = WINDOW.replace("10-13", "10-14")

    with pytest.raises(TooManyWindows) as refused:
        top(other)

    assert (refused.value.status, refused.value.code) == (503, "too_many_windows")
    assert refused.value.retry_after_seconds == 60
    assert ask_builds(NOW) == 0
    # Those that are there can be read all the same.
    top(HYD, NOW + KEPT)
    with pytest.raises(TooManyWindows):
        top(other, NOW + KEPT)
    with pytest.raises(BoardBuilding):
        top(other, NOW + KEPT + timedelta(seconds=1))
    assert count_living(NOW + KEPT + timedelta(seconds=1)) == 2


def test_a_window_is_followed_for_a_while_after_it_has_gone_and_then_forgotten(quiz: redis.Redis) -> None:
    build(WINDOW)

    def followed(after: timedelta) -> list[str]:
        return [board.id for board in list_followed(NOW + after)]

    assert followed(KEPT + FOLLOWED) == [WINDOW]
    assert followed(KEPT + FOLLOWED + timedelta(seconds=1)) == []
    with pytest.raises(BoardBuilding):
        top(HYD, NOW + KEPT + LISTED + timedelta(seconds=1))
    assert quiz.zrange(WINDOWS, 0, -1) == [HYD]


def test_a_window_that_was_not_followed_all_the_time_is_built_anew(quiz: redis.Redis) -> None:
    """Such as when a clock is wrong by minutes: it is there still, but may have missed scores."""
    build(WINDOW)
    quiz.zrem(WINDOWS, WINDOW)
    accept_all(score("bob", 50))
    deliver()

    build(WINDOW)

    assert lines() == [(1, "bob", 70), (2, "ann", 30)]


def test_a_window_that_can_not_follow_holds_up_no_score_and_is_built_anew(
    quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(WINDOW)
    accept_all(score("bob", 50))
    with monkeypatch.context() as broken:
        broken.setattr("boards.window_writes.calls_of", lambda *_, **__: 1 // 0)
        deliver()

    assert not OutboxEvent.objects.waiting().exists()
    with pytest.raises(BoardBuilding):
        top()
    build(WINDOW)
    assert lines() == [(1, "bob", 70), (2, "ann", 30)]


def test_one_that_failed_is_tried_again_after_a_pause(quiz: redis.Redis) -> None:
    with pytest.raises(BoardBuilding):
        top()
    ask_builds(NOW)
    BoardJob.objects.update(state="failed", finished_at=NOW)

    assert ask_builds(NOW + PAUSE / 2) == 0
    assert ask_builds(NOW + PAUSE + timedelta(seconds=1)) == 1


def test_the_audit_of_expiries_has_nothing_to_say(quiz: redis.Redis, settings: Any) -> None:
    settings.WINDOW_KEPT_SECONDS = 30
    build(WINDOW)
    acts.flag("bob")
    deliver()
    assert quiz.exists(KEYS.live, KEYS.details, KEYS.fence, BUILT) == 4
    with pytest.raises(BoardBuilding):
        top(HYD)
    acts.unflag("bob")
    deliver()
    assert quiz.exists(board_keys(HYD).fence)

    assert audit_expiry(lambda: NOW) == {}
    # Nor would it leave one that has lost its expiry.
    quiz.persist(KEYS.live)
    assert audit_expiry(lambda: NOW) == {"no_expiry": 1}
    assert 0 < quiz.ttl(KEYS.live) <= 60


def test_no_trace_of_an_erased_player_stays_with_a_window_that_is_read_on_and_on(quiz: redis.Redis) -> None:
    build(WINDOW, HYD)

    acts.erase("bob")
    deliver()
    assert quiz.hexists(KEYS.fence, "bob")
    later = NOW + REMEMBERED + timedelta(seconds=1)
    assert top(now=later).players == 1
    assert finish_erasures(later) == 1

    assert not quiz.hexists(KEYS.fence, "bob")
    assert not quiz.hexists(board_keys(HYD).fence, "bob")


def test_whoever_has_an_erased_players_id_by_now_stays_on_the_window(quiz: redis.Redis) -> None:
    build(WINDOW)

    acts.erase("bob")
    accept_all(score("bob", 3))
    deliver()
    finish_erasures(NOW + REMEMBERED + timedelta(seconds=1))

    assert lines() == [(1, "ann", 30), (2, "bob", 3)]
