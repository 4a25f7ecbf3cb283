"""Jobs that are cancelled leave the live board as it was, and nothing else."""

import pytest
import redis

from boards import staging
from rebuilds import jobs
from tests.factories import NOW
from tests.rebuilds.ten_players import BOARD, KEYS, begin, fresh, leftovers, quiz_of_ten
from tests.rebuilds.working import ask, run, sweep

__all__ = ["quiz_of_ten"]

pytestmark = pytest.mark.django_db


def test_one_that_waits_is_cancelled_and_never_starts(quiz: redis.Redis) -> None:
    (job,) = ask(BOARD)

    assert jobs.cancel([job], NOW) == 1
    assert jobs.cancel([job], NOW) == 0

    assert sweep() == []
    assert (fresh(job).state, fresh(job).finished_at) == ("cancelled", NOW)


def test_one_under_way_is_cancelled_and_leaves_the_board_as_it_was(quiz: redis.Redis) -> None:
    job, turn = begin(portions=2)
    assert quiz.exists(KEYS.staging, KEYS.lease) == 2

    jobs.cancel([fresh(job)], NOW)

    assert leftovers(quiz) == []
    assert run(turn) is None
    assert fresh(job).state == "cancelled"
    assert quiz.zscore(KEYS.live, "ghost") == 1


def test_one_that_is_cancelled_within_a_step_drops_what_it_has_begun(
    quiz: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, turn = begin(portions=0)
    mark = staging.mark

    def mark_and_cancel(board_id: str, token: str) -> bool:
        marked = mark(board_id, token)
        # Whoever cancels has read the row before there was a token.
        jobs.cancel([job], NOW)
        return marked

    monkeypatch.setattr(staging, "mark", mark_and_cancel)

    assert run(turn) is None

    assert fresh(job).state == "cancelled"
    assert leftovers(quiz) == []
