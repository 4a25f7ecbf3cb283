"""Looks at Redis that are cut off at every line, that race, and that are late: no loss is missed, none is seen that is none."""

from datetime import timedelta
from typing import Any

import pytest
import redis

from boards import heartbeat
from boards.keys import HEARTBEAT, RECOVERING
from boards.store import BoardsUnavailable
from rebuilds import watching
from rebuilds.models import Recovery, RedisWatch
from scoring.models import OutboxEvent
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.recovery.by_hand import SECOND, go_on, look, noted

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """The process is gone."""


def number_in(client: redis.Redis) -> int:
    return int(client.hget(HEARTBEAT, "number") or 0)


def remembered() -> int:
    return RedisWatch.objects.get().number


def killed_after(monkeypatch: pytest.MonkeyPatch, place: Any, name: str, **only: Any) -> None:
    """The process dies right after this call, or after the one with these arguments."""
    original = getattr(place, name)

    def last_call(*given: Any, **named: Any) -> Any:
        result = original(*given, **named)
        if only.items() <= named.items():
            raise Killed
        return result

    monkeypatch.setattr(place, name, last_call)


def test_each_look_raises_redis_and_then_what_is_remembered(boards_redis: redis.Redis) -> None:
    for count in (1, 2, 3):
        assert look(NOW + count * SECOND) is None
        assert number_in(boards_redis) == remembered() == count
    watch = RedisWatch.objects.get()
    assert watch.beat_at == NOW + 3 * SECOND
    assert watch.identity.startswith(boards_redis.info("server")["run_id"])


def test_the_heartbeat_says_which_outbox_events_the_boards_may_not_have(boards_redis: redis.Redis) -> None:
    LeaderboardFactory.create()
    accept_all(score("ann"))
    look()
    waiting = int(boards_redis.hget(HEARTBEAT, "position") or 0)
    deliver()
    look()
    accept_all(score("bob"))
    first, second = OutboxEvent.objects.order_by("id").values_list("id", flat=True)
    assert waiting == first
    assert boards_redis.hget(HEARTBEAT, "position") == str(second)


def test_an_emptied_redis_is_noted_once_and_goes_on_above_what_was_remembered(boards_redis: redis.Redis) -> None:
    for _ in range(5):
        look()
    boards_redis.flushall()

    recovery = noted()

    assert (recovery.loss, recovery.is_rebuilding) == ("empty", True)
    assert number_in(boards_redis) == remembered() == 6
    assert boards_redis.smembers(RECOVERING) == {"*"}
    assert look() is None
    assert Recovery.objects.count() == 1


def test_a_heartbeat_of_before_is_a_loss(boards_redis: redis.Redis) -> None:
    look()
    before: Any = boards_redis.hgetall(HEARTBEAT)
    look(NOW + SECOND)
    look(NOW + 2 * SECOND)
    boards_redis.hset(HEARTBEAT, mapping=before)

    recovery = noted(NOW + 3 * SECOND)

    assert (recovery.loss, recovery.is_rebuilding, recovery.sound_at) == ("tail", False, NOW)


def test_another_server_with_all_there_is_may_have_lost_its_last_writes(boards_redis: redis.Redis) -> None:
    look()
    RedisWatch.objects.update(identity="another:one")

    recovery = noted(NOW + SECOND)

    assert (recovery.loss, recovery.sound_at) == ("tail", NOW)
    assert look(NOW + 2 * SECOND) is None


def test_a_redis_that_is_away_is_asked_again_and_has_lost_nothing(redis_away: None) -> None:
    with pytest.raises(BoardsUnavailable):
        look()
    assert not Recovery.objects.exists()


def test_killed_before_the_beat_is_remembered_is_no_loss(
    boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    look()
    with monkeypatch.context() as patched:
        killed_after(patched, heartbeat, "beat")
        with pytest.raises(Killed):
            look()

    assert (number_in(boards_redis), remembered()) == (2, 1)
    assert look() is None
    assert number_in(boards_redis) == remembered() == 3


@pytest.mark.parametrize("name", ["_note", "note_recovering"])
def test_killed_at_any_line_of_a_loss_the_next_look_goes_on_with_it(
    boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    look()
    boards_redis.flushall()
    with monkeypatch.context() as patched:
        killed_after(patched, watching, name)
        with pytest.raises(Killed):
            look()
    assert not go_on()

    recovery = noted()

    assert Recovery.objects.get() == recovery
    recovery.refresh_from_db()
    assert recovery.state == "clearing"
    assert look() is None


def test_killed_while_the_loss_is_seen_it_is_seen_again(
    boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    look()
    boards_redis.flushall()
    with monkeypatch.context() as patched:
        killed_after(patched, heartbeat, "beat")
        with pytest.raises(Killed):
            look()

    assert number_in(boards_redis) == 0
    assert noted().loss == "empty"


def test_a_loss_between_noting_and_going_on_is_part_of_the_same(
    boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    look()
    boards_redis.flushall()
    with monkeypatch.context() as patched:
        killed_after(patched, heartbeat, "beat", is_noted=True)
        with pytest.raises(Killed):
            look()
    boards_redis.flushall()

    assert noted() == Recovery.objects.get()
    assert number_in(boards_redis) == remembered() == 2


def test_a_second_loss_during_a_recovery_takes_over_what_was_to_be_done(boards_redis: redis.Redis) -> None:
    look()
    boards_redis.flushall()
    first = noted()
    RedisWatch.objects.update(identity="another:one")

    second = noted(NOW + SECOND)

    first.refresh_from_db()
    assert first.state == "superseded"
    assert (second.loss, second.is_rebuilding) == ("tail", True)
    assert second.first_event <= first.first_event


def late_look(monkeypatch: pytest.MonkeyPatch, place: Any, name: str, meanwhile: Any, **only: Any) -> Recovery | None:
    """A look during which, after this call, or the one with these arguments, others do something."""
    original = getattr(place, name)

    def with_a_pause(*given: Any, **named: Any) -> Any:
        result = original(*given, **named)
        if only.items() <= named.items():
            monkeypatch.undo()
            meanwhile()
        return result

    monkeypatch.setattr(place, name, with_a_pause)
    return look()


def test_watchers_side_by_side_see_no_loss(boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    look()

    def others() -> None:
        for _ in range(3):
            assert look() is None

    assert late_look(monkeypatch, heartbeat, "beat", others) is None
    assert late_look(monkeypatch, watching, "load_position", others) is None
    assert look() is None
    assert not Recovery.objects.exists()


@pytest.mark.parametrize(("place", "name"), [(heartbeat, "beat"), (watching, "load_position")])
def test_a_watcher_that_looked_before_a_loss_and_writes_after_it_sees_none(
    boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch, place: Any, name: str
) -> None:
    look()
    # Others were killed before they could remember that they had raised it.
    boards_redis.hincrby(HEARTBEAT, "number", 10)

    def loss() -> None:
        boards_redis.flushall()
        noted()

    assert late_look(monkeypatch, place, name, loss) is None

    for _ in range(3):
        assert look() is None
    assert Recovery.objects.count() == 1


def test_two_watchers_that_see_the_same_loss_note_it_once(
    boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    look()
    boards_redis.flushall()

    assert late_look(monkeypatch, heartbeat, "beat", noted) is None
    assert Recovery.objects.count() == 1


def test_two_watchers_that_have_redis_go_on_begin_one_recovery(
    boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    look()
    boards_redis.flushall()

    assert late_look(monkeypatch, heartbeat, "beat", noted, is_noted=True) is None
    assert Recovery.objects.get().state == "clearing"
    assert look(NOW + timedelta(seconds=1)) is None
