"""Working on jobs: who starts them, who has the turn, what happens when it goes wrong. The work itself: `rebuilds.steps`.

A job is done in steps of some seconds, each by whoever holds its current turn. Taking the turn makes all earlier messages about
the job void, so that however often one is delivered, one worker goes on. A worker that dies leaves its turn behind, which the
sweep hands to another once the claim has run out; the row says where to go on.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import F, QuerySet

from boards.store import BoardsUnavailable
from rebuilds.comparing import NotSettled
from rebuilds.jobs import abandon
from rebuilds.leisure import WORK_SECONDS, Leisure
from rebuilds.models import BoardJob
from rebuilds.nightly import is_nightly
from rebuilds.steps import Desk, JobEnded, LeaseHeld, LeaseLost, step
from rebuilds.verifying import Phase
from scoring.errors import LeaderboardError

log = logging.getLogger(__name__)

MOST_ATTEMPTS = 10
MOST_RESTARTS = 5
LEASE_HELD_PAUSE = timedelta(seconds=10)
"""A dead rebuild's lease runs out within a minute, which MOST_ATTEMPTS outlast."""

PAUSE = timedelta(seconds=1)


class NoProgress(LeaderboardError):
    """The job's steps have failed, or its workers have died, again and again."""


class Turn(NamedTuple):
    """The right to work on a job next."""

    job_id: int
    number: int


def sweep(now: datetime, claim: timedelta, at_once: int) -> list[Turn]:
    """Start what waits, up to `at_once` running, and pick up what nobody works on any more: the turns to be sent.

    May run as often as one likes, and several times at once.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        # Two sweeps would both see the same room.
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('rebuilds.running.sweep'))")
        _start_waiting(now, at_once)
        turns = [Turn(job.pk, job.turn) for job in BoardJob.objects.abandoned(now).order_by("id")]
        # Those just sent are not sent again by the next sweep, unless they get lost.
        BoardJob.objects.filter(pk__in=[turn.job_id for turn in turns]).update(claimed_until=now + claim)
    return turns


def _start_waiting(now: datetime, at_once: int) -> None:
    running = list(BoardJob.objects.running().values_list("board", flat=True))
    room = at_once - len(running)
    busy = set(running)
    # Rebuilds before verifications, of which a night has many.
    for job in BoardJob.objects.unfinished().filter(state=BoardJob.State.WAITING).order_by("kind", "id"):
        if room <= 0:
            break
        if job.board not in busy:
            state = BoardJob.State.LOADING if job.is_rebuild else BoardJob.State.VERIFYING
            BoardJob.objects.filter(pk=job.pk, state=BoardJob.State.WAITING).update(
                state=state, started_at=now, claimed_until=now
            )
            busy.add(job.board)
            room -= 1


def run_turn(turn: Turn, clock: Callable[[], datetime], claim: timedelta, seconds: float) -> Turn | None:
    """Work on a job for about `seconds`, on a nightly one shorter, and at leisure. The next turn if there is more to do at once,
    else None: the job is over, somebody else has the turn, or it must wait, and the sweep will send it."""
    now = clock()
    job = _take(turn, now, claim)
    if job is None:
        return None
    try:
        _require_progress(job)
        _work(Desk(job, clock, claim), seconds)
    except Exception as error:
        is_ready = _after(error, job, clock(), claim)
    else:
        is_ready = job.finished_at is None
    return Turn(job.pk, job.turn) if is_ready else None


def _work(desk: Desk, seconds: float) -> None:
    if not is_nightly(desk.job):
        step(desk, seconds)
        return
    leisure = Leisure()
    step(desk, min(seconds, WORK_SECONDS))
    leisure.rest()


def _require_progress(job: BoardJob) -> None:
    if job.attempts > MOST_ATTEMPTS:
        raise NoProgress(f"no progress in {MOST_ATTEMPTS} attempts: {job.problem or 'its workers have died'}")


def _after(error: Exception, job: BoardJob, now: datetime, claim: timedelta) -> bool:
    """What becomes of a job whose step did not end well. Whether it can go on at once."""
    match error:
        case JobEnded():
            abandon(job)
        case LeaseLost():
            return _begin_anew(job, now, claim)
        case BoardsUnavailable():
            # Not the job's fault, so the attempt does not count.
            _own(job).update(problem=error.detail, claimed_until=now + PAUSE, attempts=job.attempts - 1)
        case NotSettled():
            _own(job).update(problem=str(error), claimed_until=now + PAUSE)
        case LeaseHeld():
            _own(job).update(problem=error.detail, claimed_until=now + LEASE_HELD_PAUSE)
        case LeaderboardError():
            _fail(job, error.detail, now)
        case _:
            # Whatever is wrong with this one must not stop the others; it is tried again, and fails in the end.
            log.error("a step of %s failed (attempt %s)", job, job.attempts, exc_info=error)
            problem = f"{type(error).__name__}: {error}"[:500]
            _own(job).update(problem=problem, claimed_until=now + PAUSE * 2**job.attempts)
    return False


def _take(turn: Turn, now: datetime, claim: timedelta) -> BoardJob | None:
    mine = BoardJob.objects.running().filter(pk=turn.job_id, turn=turn.number)
    if not mine.update(turn=F("turn") + 1, attempts=F("attempts") + 1, claimed_until=now + claim):
        return None
    return BoardJob.objects.get(pk=turn.job_id)


def _begin_anew(job: BoardJob, now: datetime, claim: timedelta) -> bool:
    """The staging board has missed writes since the lease ran out."""
    if job.restarts >= MOST_RESTARTS:
        _fail(job, f"the lease was lost {MOST_RESTARTS + 1} times: its steps wait longer than it lasts", now)
        return False
    is_mine = _own(job).update(
        state=BoardJob.State.LOADING,
        token="",
        restarts=F("restarts") + 1,
        claimed_until=now + claim,
        phase=Phase.ROWS,
        **dict.fromkeys(("position", "loaded", "verified", "matched", "missing", "extra", "different", "unshown"), 0),
    )
    if is_mine:
        log.warning("%s has lost its lease and begins anew", job)
    return bool(is_mine)


def _fail(job: BoardJob, problem: str, now: datetime) -> None:
    log.error("%s has failed: %s", job, problem)
    _own(job).update(state=BoardJob.State.FAILED, finished_at=now, problem=problem[:500])
    abandon(job)


def _own(job: BoardJob) -> QuerySet[BoardJob]:
    return BoardJob.objects.unfinished().filter(pk=job.pk, turn=job.turn)
