"""Steps that go wrong: what is tried again, what ends a job, and what is left of it."""

from datetime import timedelta
from typing import Any, NoReturn

import pytest
import redis

from boards import store
from boards.board_ids import find_board
from boards.store import BoardsUnavailable
from rebuilds import jobs, running, steps
from rebuilds.running import MOST_ATTEMPTS
from rebuilds.truth import BoardClosed
from rebuilds.verifying import verify_portion
from scoring.models import Leaderboard
from scoring.rules import forget_rules
from tests.factories import NOW
from tests.rebuilds.ten_players import BOARD, KEYS, begin, fresh, leftovers, quiz_of_ten
from tests.rebuilds.working import CLAIM, ask, rebuild, run, sweep, work

__all__ = ["quiz_of_ten"]

pytestmark = pytest.mark.django_db


def test_workers_that_die_each_time_are_not_fed_for_ever(quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        """Not caught by anything, like SIGKILL."""

    def die(*_: object) -> NoReturn:
        raise Killed

    job, _ = begin()
    with monkeypatch.context() as patched:
        patched.setattr(running, "step", die)
        for attempt in range(1, MOST_ATTEMPTS + 1):
            (turn,) = sweep(NOW + attempt * CLAIM)
            with pytest.raises(Killed):
                run(turn, NOW + attempt * CLAIM)
    now = NOW + (MOST_ATTEMPTS + 1) * CLAIM
    (turn,) = sweep(now)

    assert run(turn, now) is None

    assert fresh(job).state == "failed"
    assert fresh(job).problem == "no progress in 10 attempts: its workers have died"
    assert leftovers(quiz) == []
    assert quiz.zscore(KEYS.live, "ghost") == 1


def test_an_error_is_kept_and_tried_again_later_each_time(quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> NoReturn:
        raise RuntimeError("a mistake of ours")

    job, turn = begin()
    with monkeypatch.context() as patched:
        patched.setattr(running, "step", fail)
        assert run(turn) is None
    assert fresh(job).problem == "RuntimeError: a mistake of ours"
    assert sweep(NOW + timedelta(seconds=1)) == []

    work(NOW + timedelta(seconds=3))

    assert (fresh(job).state, fresh(job).problem) == ("done", "")


def test_with_redis_away_it_waits_and_no_attempt_counts(quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> NoReturn:
        raise BoardsUnavailable("the boards are away")

    job, turn = begin()
    with monkeypatch.context() as patched:
        patched.setattr(store, "run", away)
        for second in range(MOST_ATTEMPTS + 5):
            assert run(turn, NOW + timedelta(seconds=second)) is None
            (turn,) = sweep(NOW + timedelta(seconds=second + 1))

    assert (fresh(job).state, fresh(job).attempts, fresh(job).problem) == ("loading", 0, "the boards are away")
    run(turn, NOW + timedelta(seconds=60))
    work(NOW + timedelta(seconds=90))
    assert fresh(job).state == "done"


def test_a_staging_copy_that_differs_is_not_swapped(quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt: list[object] = []

    def verify_spoilt(*arguments: Any, **more: Any) -> Any:
        if not spoilt:
            spoilt.append(quiz.zadd(KEYS.staging, {"player-1": 10**15, "stranger": 5}))
            quiz.zrem(KEYS.staging, "player-2")
        return verify_portion(*arguments, **more)

    monkeypatch.setattr(steps, "verify_portion", verify_spoilt)

    job = rebuild()

    assert job.state == "failed"
    assert (job.missing, job.extra, job.different) == (1, 1, 1)
    assert job.problem == "not swapped: of the staging copy 1 entries are missing, 1 are extra, 1 are different"
    assert quiz.zscore(KEYS.live, "ghost") == 1
    assert leftovers(quiz) == []


def test_a_segments_board_of_a_closed_period_is_not_made_from_rows(quiz: redis.Redis) -> None:
    day = "quiz:day:2026-10-19:city:hyd"
    (job,) = ask(day)
    tomorrow = NOW + timedelta(days=1)

    with pytest.raises(BoardClosed, match="its final standings do"):
        jobs.ask_rebuild([find_board(day, tomorrow)], "a test", tomorrow)
    work(tomorrow)

    assert fresh(job).state == "failed"
    assert fresh(job).problem.startswith(f"{day} is closed")
    assert leftovers(quiz) == []


def test_a_board_whose_leaderboard_is_gone_fails_and_says_so(quiz: redis.Redis) -> None:
    (job,) = ask(BOARD)
    Leaderboard.objects.filter(slug="quiz").update(slug="other")
    forget_rules()

    work()

    assert (fresh(job).state, fresh(job).problem) == ("failed", "there is no leaderboard 'quiz'")
