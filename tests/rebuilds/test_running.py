"""Who works on a job, and what becomes of it when workers die, leases run out, Redis goes away."""

from datetime import timedelta
from typing import Any, NoReturn

import pytest
import redis

from boards import staging, store
from boards.board_ids import find_board
from boards.keys import board_keys
from boards.store import BoardsUnavailable
from rebuilds import jobs, running, steps
from rebuilds.models import BoardJob
from rebuilds.running import MOST_ATTEMPTS, MOST_RESTARTS, Turn
from rebuilds.truth import BoardClosed
from rebuilds.verifying import verify_portion
from scoring.models import Leaderboard
from scoring.rules import forget_rules
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.rebuilds.working import CLAIM, ask, rebuild, run, sweep, work

pytestmark = pytest.mark.django_db

BOARD = "quiz:all:global"
HYD = "quiz:all:city:hyd"
KEYS = board_keys(BOARD)
LATER = NOW + CLAIM


@pytest.fixture
def quiz(boards_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> redis.Redis:
    """Ten players, read in portions of two: a step of no time at all takes one portion."""
    LeaderboardFactory.create(scopes=["city"], period_kinds=["day", "all"])
    accept_all(*(score(f"player-{n}", 10 + n, segments={"city": "hyd"}) for n in range(10)))
    deliver()
    boards_redis.zadd(KEYS.live, {"ghost": 1})
    monkeypatch.setattr("rebuilds.truth.TOTALS_AT_ONCE", 2)
    return boards_redis


def fresh(job: BoardJob) -> BoardJob:
    return BoardJob.objects.get(pk=job.pk)


def begin(portions: int = 1) -> tuple[BoardJob, Turn]:
    """A rebuild with so many portions loaded, and its next turn."""
    (job,) = ask(BOARD)
    (turn,) = sweep()
    for _ in range(portions):
        following = run(turn, seconds=0)
        assert following is not None
        turn = following
    return job, turn


def leftovers(client: redis.Redis) -> list[str]:
    return [key for key in client.scan_iter("{lb:*") if not key.endswith((":fence", ":details"))]


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


def test_what_waits_is_started_up_to_a_limit_one_a_board_rebuilds_first(quiz: redis.Redis) -> None:
    (verification,) = ask("quiz:day:global", kind="verify")
    first, second, third = ask(BOARD, BOARD, HYD)

    assert sweep(at_once=2) == [Turn(first.pk, 0), Turn(third.pk, 0)]
    assert sweep(at_once=2) == []
    assert sweep(at_once=3) == [Turn(verification.pk, 0)]
    assert fresh(second).state == "waiting"

    work(LATER)
    assert {fresh(job).state for job in (first, second, third, verification)} == {"done"}


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


def test_a_verification_finds_what_differs_and_changes_nothing(quiz: redis.Redis) -> None:
    quiz.zrem(KEYS.live, "player-2")
    quiz.zadd(KEYS.live, {"player-1": 10**15})

    (job,) = ask(BOARD, kind="verify")
    work(seconds=0)

    assert (fresh(job).state, fresh(job).verified) == ("done", 10)
    assert (fresh(job).missing, fresh(job).extra, fresh(job).different) == (1, 1, 1)
    assert quiz.zscore(KEYS.live, "ghost") == 1
    assert leftovers(quiz) == []


def test_the_expired_board_of_a_closed_period_is_no_difference(quiz: redis.Redis) -> None:
    quiz.flushdb()
    tomorrow = NOW + timedelta(days=1)

    (job,) = ask("quiz:day:2026-10-19:global", kind="verify", now=tomorrow)
    work(tomorrow)

    assert (fresh(job).state, fresh(job).missing) == ("done", 0)


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
