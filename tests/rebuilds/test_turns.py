"""Who works on a job next: a step at a time, one worker a job, so many jobs at once."""

from datetime import timedelta
from typing import Any

import pytest
import redis

from boards import staging
from rebuilds.running import Turn
from tests.boards_truth import differences
from tests.factories import NOW
from tests.rebuilds.ten_players import BOARD, HYD, KEYS, LATER, begin, fresh, leftovers, quiz_of_ten
from tests.rebuilds.working import ask, run, sweep, work

__all__ = ["quiz_of_ten"]

pytestmark = pytest.mark.django_db


def test_each_step_goes_on_where_the_last_one_was(quiz: redis.Redis) -> None:
    job, turn = begin(portions=3)
    assert fresh(job).loaded == 6
    assert fresh(job).state == "loading"
    assert quiz.zcard(KEYS.staging) == 6
    assert quiz.zscore(KEYS.live, "ghost") == 1

    following: Turn | None = turn
    steps_taken = 0
    while following is not None:
        following = run(following, seconds=0)
        steps_taken += 1

    assert steps_taken > 4
    assert fresh(job).state == "done"
    assert not differences()
    assert leftovers(quiz) == []


def test_a_turn_is_taken_once(quiz: redis.Redis) -> None:
    _, turn = begin()

    assert run(turn, seconds=0) is not None
    assert run(turn, seconds=0) is None


def test_who_is_being_worked_on_is_left_alone_and_picked_up_when_the_worker_is_dead(quiz: redis.Redis) -> None:
    job, turn = begin(portions=2)

    assert sweep(LATER - timedelta(seconds=1)) == []
    assert sweep(LATER) == [turn]
    # Sent once, not by each sweep.
    assert sweep(LATER) == []
    following: Turn | None = turn
    while following is not None:
        following = run(following, LATER)

    assert (fresh(job).state, fresh(job).loaded, fresh(job).restarts) == ("done", 10, 0)
    assert not differences()


def test_a_worker_that_comes_back_after_another_took_over_changes_nothing(
    quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, turn = begin()
    load = staging.load
    taken_over: list[bool] = []

    def load_late(*arguments: Any) -> bool:
        if not taken_over:
            taken_over.append(True)
            (again,) = sweep(LATER)
            following: Turn | None = again
            while following is not None:
                following = run(following, LATER)
        return load(*arguments)

    monkeypatch.setattr(staging, "load", load_late)

    assert run(turn, seconds=0) is None

    assert fresh(job).state == "done"
    assert not differences()
    assert leftovers(quiz) == []


def test_what_waits_is_started_up_to_a_limit_one_a_board_rebuilds_first(quiz: redis.Redis) -> None:
    (verification,) = ask("quiz:day:global", kind="verify")
    first, second, third = ask(BOARD, BOARD, HYD)

    assert sweep(at_once=2) == [Turn(first.pk, 0), Turn(third.pk, 0)]
    assert sweep(at_once=2) == []
    assert sweep(at_once=3) == [Turn(verification.pk, 0)]
    assert fresh(second).state == "waiting"

    work(LATER)
    assert {fresh(job).state for job in (first, second, third, verification)} == {"done"}


def test_percent_and_rate_grow_to_the_end(quiz: redis.Redis) -> None:
    job, turn = begin(portions=2)
    assert (fresh(job).expected, fresh(job).percent) == (10, 20.0)
    assert fresh(job).rate(NOW + timedelta(seconds=2)) == 2.0

    following: Turn | None = turn
    percents = []
    while following is not None:
        following = run(following, NOW + timedelta(seconds=4), seconds=0)
        percents.append(fresh(job).percent)

    assert percents == sorted(percents)
    assert percents[-1] == 100.0
    assert fresh(job).rate(NOW + timedelta(days=1)) == 5.0
