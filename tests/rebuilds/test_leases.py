"""A rebuild whose lease in Redis is lost, or somebody else's."""

from datetime import timedelta
from typing import Any

import pytest
import redis

from rebuilds import steps
from rebuilds.running import MOST_RESTARTS, Turn
from rebuilds.verifying import verify_portion
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import NOW, accept_all, score
from tests.rebuilds.ten_players import BOARD, KEYS, LATER, begin, fresh, leftovers, quiz_of_ten
from tests.rebuilds.working import ask, run, sweep, work

__all__ = ["quiz_of_ten"]

pytestmark = pytest.mark.django_db


def test_without_its_lease_a_rebuild_begins_anew(quiz: redis.Redis) -> None:
    job, turn = begin(portions=3)
    token = fresh(job).token
    quiz.delete(KEYS.lease)
    # A write that the staging copy misses.
    accept_all(score("player-1", 50))
    deliver()

    following = run(turn, seconds=0)

    assert following is not None
    assert (fresh(job).loaded, fresh(job).restarts, fresh(job).token) == (0, 1, "")
    work(LATER)
    assert fresh(job).state == "done"
    assert fresh(job).token != token
    assert not differences()


def test_a_lease_that_is_lost_while_verifying_is_no_difference(
    quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, turn = begin()
    lost: list[object] = []

    def verify_without_lease(*arguments: Any, **more: Any) -> Any:
        if not lost:
            lost.append(quiz.delete(KEYS.lease, KEYS.staging))
        return verify_portion(*arguments, **more)

    monkeypatch.setattr(steps, "verify_portion", verify_without_lease)
    loaded = run(turn)
    assert loaded is not None
    following = run(loaded)
    assert fresh(job).restarts == 1

    while following is not None:
        following = run(following)

    assert (fresh(job).state, fresh(job).missing) == ("done", 0)


def test_a_rebuild_that_loses_its_lease_again_and_again_fails(quiz: redis.Redis) -> None:
    job, turn = begin()
    following: Turn | None = turn
    while following is not None:
        quiz.delete(KEYS.lease)
        following = run(following, seconds=0)
        if following is not None:
            following = run(following, seconds=0)

    assert fresh(job).state == "failed"
    assert f"lost {MOST_RESTARTS + 1} times" in fresh(job).problem
    assert leftovers(quiz) == []


def test_a_lease_of_nobody_we_know_is_waited_for(quiz: redis.Redis) -> None:
    quiz.set(KEYS.lease, "somebody", px=60_000)
    (job,) = ask(BOARD)
    (turn,) = sweep()

    assert run(turn) is None
    assert (fresh(job).state, fresh(job).problem) == ("loading", f"another rebuild has the lease of {BOARD}")
    assert quiz.get(KEYS.lease) == "somebody"

    quiz.delete(KEYS.lease)
    work(NOW + timedelta(seconds=10))
    assert (fresh(job).state, fresh(job).problem) == ("done", "")
