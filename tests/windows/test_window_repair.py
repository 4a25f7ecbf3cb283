"""Custom windows beside the rest of the repair: rebuilt, verified and fixed by hand, killed, lost with Redis."""

import json
import os
import random
import signal
import time

import pytest
import redis
from django.core.management import CommandError, call_command
from django.utils import timezone

from boards.clearing import clear_leftovers
from boards.keys import board_keys, built_key
from boards.windows import BoardBuilding
from rebuilds.models import BoardJob
from rebuilds.selection import all_boards
from rebuilds.windows import ask_builds
from scoring.models import OutboxEvent
from scoring.period_rows import open_period
from scoring.rules import get_rules
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.faults.waiting import eventually
from tests.rebuilds.crowd import fill
from tests.rebuilds.mortal_workers import nursery
from tests.rebuilds.test_killed import database_url
from tests.rebuilds.working import ask, work
from tests.windows.asking import DAY, HYD, WINDOW, build, lines, top

pytestmark = pytest.mark.django_db(transaction=True)

KEYS = board_keys(WINDOW)
BUILT = built_key(WINDOW)


@pytest.fixture
def quiz(boards_redis: redis.Redis) -> redis.Redis:
    LeaderboardFactory.create(period_kinds=["day"], scopes=["city"], min_points=-1000)
    accept_all(score("ann", 30), score("bob", 20, segments={"city": "hyd"}), now=NOW - DAY)
    accept_all(score("bob", 5))
    deliver()
    return boards_redis


def test_it_is_verified_and_fixed_like_other_boards(
    quiz: redis.Redis, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)
    build(WINDOW)
    quiz.zrem(KEYS.live, "ann")
    quiz.zadd(KEYS.live, {"bob": 10**15, "nobody": 5})

    with pytest.raises(CommandError, match="3 differences found"):
        call_command("verify_board", WINDOW)
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sorted((one["player_id"], one["kind"]) for one in told) == [
        ("ann", "missing"),
        ("bob", "different"),
        ("nobody", "extra"),
    ]
    call_command("verify_board", WINDOW, "--fix")
    assert lines() == [(1, "ann", 30), (2, "bob", 25)]
    call_command("verify_board", WINDOW)


def test_one_that_is_not_there_has_no_differences(quiz: redis.Redis) -> None:
    (job,) = ask(WINDOW, kind="verify")
    work()

    job.refresh_from_db()
    assert (job.state, job.difference_count) == ("done", 0)


def test_a_rebuild_by_hand_replaces_it_and_readers_see_no_other(quiz: redis.Redis) -> None:
    build(WINDOW)
    quiz.zadd(KEYS.live, {"nobody": 5})

    (job,) = ask(WINDOW)
    work()

    job.refresh_from_db()
    assert (job.state, job.loaded, job.verified, job.percent) == ("done", 2, 2, 100.0)
    assert lines() == [(1, "ann", 30), (2, "bob", 25)]


def test_windows_are_no_boards_of_the_night(quiz: redis.Redis) -> None:
    build(WINDOW)

    assert {board.id for board in all_boards(NOW)} == {
        "quiz:day:2026-10-18:global",
        "quiz:day:2026-10-19:global",
        "quiz:day:2026-10-19:city:hyd",
    }


def test_after_a_loss_they_are_built_anew_when_asked_for(quiz: redis.Redis) -> None:
    build(WINDOW, HYD)
    quiz.zrem(KEYS.live, "ann")

    clear_leftovers(fences=False)

    build(WINDOW, HYD)
    assert lines() == [(1, "ann", 30), (2, "bob", 25)]
    assert lines(HYD) == [(1, "bob", 25)]


def test_an_event_that_waits_while_it_is_built_is_seen_once(quiz: redis.Redis) -> None:
    accept_all(score("ann", 1))
    build_later = OutboxEvent.objects.waiting().count()
    with pytest.raises(BoardBuilding):
        top()
    deliver()
    ask_builds(NOW)
    work()

    assert build_later == 1
    assert lines() == [(1, "ann", 31), (2, "bob", 25)]


@pytest.mark.slow
def test_a_worker_that_is_killed_while_it_builds_leaves_nothing_for_ever(boards_redis: redis.Redis) -> None:
    now = timezone.now()
    leaderboard = LeaderboardFactory.create(period_kinds=["day"])
    rules = get_rules("quiz")
    labels = []
    for days_ago in (2, 1, 0):
        window = rules.windows_at(now - days_ago * DAY)[0]
        labels.append(open_period(leaderboard.pk, window).label)
        fill("quiz", 20_000, labels[-1])
    window_id = f"quiz:window:{labels[0].removeprefix('day:')}..{labels[-1].removeprefix('day:')}:global"
    keys = board_keys(window_id)
    moments = random.Random(12)
    with pytest.raises(BoardBuilding):
        top(window_id, now)
    ask_builds(timezone.now())

    with nursery(database_url()) as workers:
        for _ in range(5):
            worker = workers.start_worker()
            turn = BoardJob.objects.latest("id").turn
            eventually(lambda: BoardJob.objects.latest("id").turn > turn, "nobody works on it")  # noqa: B023 - awaited here
            time.sleep(moments.uniform(0, 0.2))
            os.kill(worker, signal.SIGKILL)
            assert [key for key in boards_redis.scan_iter("*lb:*") if boards_redis.ttl(key) == -1] == []
            assert boards_redis.exists(built_key(window_id)) == 0 or boards_redis.zcard(keys.live) == 20_000
            if BoardJob.objects.latest("id").finished_at is not None:
                break
        workers.start_worker()
        eventually(lambda: BoardJob.objects.latest("id").finished_at, "the window does not get built")

    assert BoardJob.objects.latest("id").state == "done"
    assert top(window_id, timezone.now()).players == 20_000
    assert not boards_redis.exists(keys.staging, keys.staging_details, keys.lease)


def test_a_recovery_need_not_rebuild_all_boards_because_a_window_was_built(quiz: redis.Redis) -> None:
    build(WINDOW, HYD)
    assert BoardJob.objects.count() == 2
    assert not BoardJob.objects.of_kept_boards().exists()

    # Of a segment that is called like that.
    BoardJob.objects.update(board="quiz:all:window:red")

    assert BoardJob.objects.of_kept_boards().count() == 2
