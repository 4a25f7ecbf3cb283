"""Recoveries by hand: whatever Redis has lost, afterwards it has what the totals say, and nothing of what they don't."""

from datetime import timedelta
from typing import Any

import pytest
import redis

from boards import store
from boards.keys import NAMES, RECOVERING, board_keys
from boards.row_calls import calls_of
from boards.writes import PeriodBoards
from rebuilds.models import BoardJob, Recovery
from scoring.models import Correction, Erasure, OutboxEvent, Period, Player, ReviewState, Total
from scoring.rules import get_rules
from scoring.totals import load_period, load_rows
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.rebuilds.working import ask, run, sweep, work
from tests.recovery.by_hand import LATER, SECOND, dump, go_on, look, noted, recover, restore, until_recovered

pytestmark = pytest.mark.django_db

TEN_MINUTES = timedelta(minutes=10)
KEYS = board_keys("quiz:all:global")


@pytest.fixture
def quiz(boards_redis: redis.Redis) -> redis.Redis:
    LeaderboardFactory.create(period_kinds=["day", "all"], scopes=["city"], min_points=-1000)
    accept_all(
        score("ann", 30, segments={"city": "hyd"}, name="Ann"),
        score("bob", 20, segments={"city": "hyd"}, name="Bob"),
        score("eve", 10, segments={"city": "pune"}),
    )
    deliver()
    assert look() is None
    assert not differences()
    return boards_redis


def test_an_emptied_redis_has_everything_again(quiz: redis.Redis) -> None:
    before = dump(quiz)
    quiz.flushall()

    recovery = recover()

    assert not differences()
    assert {key for key in before if "heartbeat" not in key} <= set(dump(quiz))
    assert quiz.hgetall(NAMES) == {"ann": "1:Ann", "bob": "1:Bob"}
    assert (recovery.loss, recovery.problem) == ("empty", "")
    assert not quiz.exists(RECOVERING)


def test_boards_show_something_before_they_are_rebuilt(quiz: redis.Redis) -> None:
    quiz.flushall()
    recovery = noted()
    go_on()
    go_on()

    recovery.refresh_from_db()
    assert recovery.state == "naming"
    assert quiz.zrevrange(KEYS.live, 0, -1) == ["ann", "bob", "eve"]
    assert BoardJob.objects.filter(state="waiting").count() == 6


def test_the_boards_are_rebuilt_in_the_order_in_which_they_are_missed(quiz: redis.Redis) -> None:
    quiz.flushall()
    noted()
    go_on()

    assert list(BoardJob.objects.order_by("id").values_list("board", flat=True)) == [
        "quiz:all:global",
        "quiz:day:2026-10-19:global",
        "quiz:all:city:hyd",
        "quiz:all:city:pune",
        "quiz:day:2026-10-19:city:hyd",
        "quiz:day:2026-10-19:city:pune",
    ]


def test_what_a_failover_has_lost_comes_back_from_the_outbox_alone(quiz: redis.Redis) -> None:
    before = dump(quiz)
    accept_all(score("ann", 5), score("new", 7, name="New"), score("eve", -3), now=NOW + SECOND)
    deliver(NOW + SECOND)
    look(NOW + 2 * SECOND)
    restore(quiz, before)

    recovery = recover(NOW + 3 * SECOND)

    assert (recovery.loss, recovery.is_rebuilding) == ("tail", False)
    assert not differences()
    assert quiz.hget(NAMES, "new") == "1:New"
    assert quiz.hget(KEYS.fence, "eve") == "1"
    assert not BoardJob.objects.exists()


def test_an_event_that_waited_for_long_and_was_lost_right_after_it_was_applied_comes_back(quiz: redis.Redis) -> None:
    accept_all(score("ann", 5), now=NOW)
    look(NOW + TEN_MINUTES)
    before = dump(quiz)
    deliver(NOW + TEN_MINUTES)
    look(NOW + TEN_MINUTES + SECOND)
    restore(quiz, before)
    assert differences()

    assert recover(NOW + TEN_MINUTES + 2 * SECOND).loss == "tail"

    assert not differences()


def test_a_write_that_is_marked_applied_only_after_the_recovery_is_applied_once_more(quiz: redis.Redis) -> None:
    accept_all(score("ann", 5), now=NOW)
    event = OutboxEvent.objects.waiting().get()
    quiz.flushall()
    recovery = noted()
    Total.objects.filter(period__label="all", player__player_id="ann").update(points=30)
    until_recovered(recovery)
    Total.objects.filter(period__label="all", player__player_id="ann").update(points=35)
    # Its worker wrote it before the loss, and was slow to say so.
    OutboxEvent.objects.filter(pk=event.pk).update(applied_at=NOW + 5 * SECOND)
    assert differences()

    go_on(NOW + LATER)

    assert not differences()


@pytest.mark.parametrize("moment", ["noted", "applied again", "recovered"])
@pytest.mark.parametrize("shown", [1, 200_000])
def test_a_writer_that_read_before_a_correction_and_writes_after_the_loss_does_no_harm(
    quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch, moment: str, shown: int
) -> None:
    monkeypatch.setattr("rebuilds.recovery_steps.SHOWN_PLAYERS", shown)
    period = Period.objects.get(label="all")
    boards = PeriodBoards(get_rules("quiz"), load_period(period.pk), NOW)
    late_writes, _ = calls_of(load_rows(Player.objects.values_list("pk", flat=True), [period.pk]), [boards])
    accept_all(score("ann", -25), score("eve", 1), now=NOW)
    deliver(NOW)
    quiz.flushall()
    now = NOW + SECOND

    recovery = noted(now)
    if moment == "noted":
        store.run(late_writes)
    go_on(now)
    go_on(now)
    if moment == "applied again":
        store.run(late_writes)
    until_recovered(recovery, now)
    if moment == "recovered":
        store.run(late_writes)
    go_on(now + LATER)

    recovery.refresh_from_db()
    assert recovery.state == "done"
    assert not differences()
    assert quiz.hget(KEYS.fence, "ann") == "1"


def old_file(quiz: redis.Redis) -> None:
    """Redis is as it was ten minutes ago; what was read there then is gone from the rows, or other."""
    before = dump(quiz)
    accept_all(score("bob", 25), score("new", 7), now=NOW + TEN_MINUTES)
    deliver(NOW + TEN_MINUTES)
    look(NOW + TEN_MINUTES)
    restore(quiz, before)


def test_an_old_file_is_brought_up_to_date(quiz: redis.Redis) -> None:
    old_file(quiz)
    assert differences()

    recovery = recover(NOW + TEN_MINUTES + SECOND)

    assert (recovery.loss, recovery.is_rebuilding) == ("old", True)
    assert not differences()


def test_who_was_erased_since_an_old_file_was_written_does_not_come_back(quiz: redis.Redis) -> None:
    quiz.hset(KEYS.fence, "ann", 3)
    old_file(quiz)
    Player.objects.filter(player_id="ann").update(
        player_id="erased:1", name="", segments={}, review_state=ReviewState.ERASED, epoch=5
    )

    recover(NOW + TEN_MINUTES + SECOND)

    assert not differences()
    assert "'ann'" not in repr([contents(quiz, key) for key in quiz.scan_iter("*")])


def contents(client: redis.Redis, key: Any) -> Any:
    match client.type(key):
        case "zset":
            return client.zrange(key, 0, -1)
        case "set":
            return client.smembers(key)
        case "hash":
            return client.hgetall(key)
    return client.get(key)


def test_a_rebuild_under_way_begins_anew_rather_than_swap_what_has_lost_rows(quiz: redis.Redis) -> None:
    (job,) = ask("quiz:all:global")
    (turn,) = sweep()
    run(turn, seconds=-1)
    assert quiz.exists(KEYS.staging)
    before = dump(quiz)
    accept_all(score("bob", 25), now=NOW + SECOND)
    deliver(NOW + SECOND)
    look(NOW + SECOND)
    restore(quiz, before)

    noted(NOW + 2 * SECOND)
    go_on(NOW + 2 * SECOND)
    assert not quiz.exists(KEYS.staging, KEYS.lease)
    recovery = until_recovered(Recovery.objects.get(), NOW + 2 * SECOND)
    work(NOW + timedelta(seconds=20))

    job.refresh_from_db()
    assert (job.state, job.restarts, recovery.is_rebuilding) == ("done", 1, False)
    assert not differences()


@pytest.mark.parametrize("what", ["erasure", "rebuild", "too many"])
def test_where_the_outbox_does_not_tell_all_everything_is_rebuilt(
    quiz: redis.Redis, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if what == "erasure":
        correction = Correction.objects.create(kind="erase", made_at=NOW, reason="asked to")
        Erasure.objects.create(correction=correction, finished_at=NOW)
    elif what == "rebuild":
        ask("quiz:all:global")
        BoardJob.objects.update(state="done", finished_at=NOW)
    else:
        monkeypatch.setattr("rebuilds.recovery_steps.MOST_PLAYERS", 2)
    quiz.hset("lb-heartbeat", "number", 0)

    recovery = recover(NOW + SECOND)

    assert (recovery.loss, recovery.is_rebuilding) == ("tail", True)
    assert not differences()


def test_scores_go_on_during_a_recovery(quiz: redis.Redis) -> None:
    quiz.flushall()
    recovery = noted()
    for number in range(20):
        accept_all(score("ann", 1), score(f"new-{number}", number, name=f"New {number}"))
        deliver()
        go_on(NOW + number * SECOND, seconds=-1)
    until_recovered(recovery, NOW + timedelta(seconds=30))

    assert not differences()
    assert quiz.hlen(NAMES) == 22


def test_a_second_loss_during_the_recovery_is_recovered_from_too(quiz: redis.Redis) -> None:
    quiz.flushall()
    noted()
    go_on()
    go_on()
    asked = BoardJob.objects.count()
    quiz.flushall()

    recovery = recover(NOW + SECOND)

    assert not differences()
    assert quiz.hgetall(NAMES) == {"ann": "1:Ann", "bob": "1:Bob"}
    assert BoardJob.objects.filter(state="cancelled").count() == asked
    assert recovery.problem == ""


def test_one_worker_at_a_time_and_another_when_it_is_dead(quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    def die(*_: object, **__: object) -> None:
        raise Killed

    quiz.flushall()
    recovery = noted()
    go_on()
    with monkeypatch.context() as patched:
        patched.setattr("rebuilds.recovery_steps.apply_rows_of", die)
        with pytest.raises(Killed):
            go_on()
    assert not go_on(NOW + timedelta(seconds=29))
    assert differences()

    until_recovered(recovery, NOW + timedelta(seconds=31))

    assert not differences()


def test_a_step_that_fails_is_tried_again_and_says_why(quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    quiz.flushall()
    recovery = noted()
    with monkeypatch.context() as patched:
        patched.setattr("rebuilds.recovery_steps.clear_leftovers", lambda **_: 1 / 0)
        assert not go_on()
    recovery.refresh_from_db()
    assert recovery.problem == "ZeroDivisionError: division by zero"

    until_recovered(recovery, NOW + timedelta(seconds=6))

    assert not differences()


def test_a_board_that_can_not_be_rebuilt_is_said(quiz: redis.Redis) -> None:
    quiz.flushall()
    recovery = noted()
    go_on()
    BoardJob.objects.filter(board="quiz:all:global").update(state="failed", finished_at=NOW)

    until_recovered(recovery)

    recovery.refresh_from_db()
    assert recovery.problem == "1 boards could not be rebuilt, such as quiz:all:global"
