"""A verification, worked on as a job."""

from datetime import timedelta

import pytest
import redis

from tests.factories import NOW
from tests.rebuilds.ten_players import BOARD, KEYS, fresh, leftovers, quiz_of_ten
from tests.rebuilds.working import ask, work

__all__ = ["quiz_of_ten"]

pytestmark = pytest.mark.django_db


def test_a_verification_finds_what_differs_and_changes_nothing(quiz: redis.Redis) -> None:
    quiz.zrem(KEYS.live, "player-2")
    quiz.zadd(KEYS.live, {"player-1": 10**15})

    (job,) = ask(BOARD, kind="verify")
    work(seconds=0)

    assert (fresh(job).state, fresh(job).verified) == ("done", 10)
    assert (fresh(job).missing, fresh(job).extra, fresh(job).different) == (1, 1, 1)
    assert quiz.zscore(KEYS.live, "ghost") == 1
    assert leftovers(quiz) == []


def test_details_that_no_row_has_are_a_difference(quiz: redis.Redis) -> None:
    quiz.zrem(KEYS.live, "ghost")
    quiz.hset(KEYS.details, "player-3", '{"car": "red"}')

    (job,) = ask(BOARD, kind="verify")
    work()

    assert (fresh(job).missing, fresh(job).extra, fresh(job).different) == (0, 0, 1)


def test_the_expired_board_of_a_closed_period_is_no_difference(quiz: redis.Redis) -> None:
    quiz.flushdb()
    tomorrow = NOW + timedelta(days=1)

    (job,) = ask("quiz:day:2026-10-19:global", kind="verify", now=tomorrow)
    work(tomorrow)

    assert (fresh(job).state, fresh(job).missing) == ("done", 0)
