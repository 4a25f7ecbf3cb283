"""Asking for rebuilds and verifications, asking how they stand, cancelling them. Who works on them: `rebuilds.running`."""

import uuid
from collections.abc import Iterable
from datetime import datetime

from django.db import Error as DatabaseError
from psycopg import OperationalError as PsycopgOperationalError

from boards import staging
from boards.board_ids import Board
from boards.store import BoardsUnavailable
from rebuilds.models import BoardJob
from rebuilds.truth import require_known_members
from scoring.errors import LeaderboardError


class RebuildNotFound(LeaderboardError):
    status, code = 404, "rebuild_not_found"


class NoBoards(LeaderboardError):
    status, code = 409, "no_boards"


def ask_rebuild(boards: Iterable[Board], asked_by: str, now: datetime) -> uuid.UUID:
    """Have these boards rebuilt as soon as there is room; one request's id. BoardClosed, and nothing is asked for, if the rows
    of one no longer tell who was on it. 1 query."""
    return _ask(BoardJob.Kind.REBUILD, boards, asked_by, now)


def ask_verification(boards: Iterable[Board], asked_by: str, now: datetime) -> uuid.UUID:
    """Have these boards compared with their rows; likewise."""
    return _ask(BoardJob.Kind.VERIFY, boards, asked_by, now)


def _ask(kind: BoardJob.Kind, boards: Iterable[Board], asked_by: str, now: datetime) -> uuid.UUID:
    request = uuid.uuid4()
    boards = list(boards)
    if not boards:
        raise NoBoards("there are no boards yet: nobody has scored")
    for board in boards:
        require_known_members(board, now)
    BoardJob.objects.bulk_create(
        BoardJob(kind=kind, board=board.id, request=request, asked_by=asked_by[:100], asked_at=now) for board in boards
    )
    return request


def load_request(request: uuid.UUID) -> list[BoardJob]:
    """The jobs of a request, in the order asked for; empty for an unknown one. 1 query."""
    return list(BoardJob.objects.filter(request=request).order_by("id"))


def load_rebuild(request: uuid.UUID) -> list[BoardJob]:
    """Likewise, RebuildNotFound unless it is a rebuild."""
    jobs = [job for job in load_request(request) if job.is_rebuild]
    if not jobs:
        raise RebuildNotFound("there is no rebuild with this id")
    return jobs


def load_percent(board_id: str) -> float | None:
    """How far the board's rebuild is, waiting ones included; None if there is none, or nobody can tell. 1 query."""
    jobs = BoardJob.objects.unfinished().filter(kind=BoardJob.Kind.REBUILD, board=board_id)
    try:
        job = jobs.order_by("id").first()
    except (DatabaseError, PsycopgOperationalError):
        # What else there is to say of the board needs no database.
        return None
    return None if job is None else job.percent


STATES_BY_WEIGHT = (
    BoardJob.State.LOADING,
    BoardJob.State.VERIFYING,
    BoardJob.State.WAITING,
    BoardJob.State.FAILED,
    BoardJob.State.CANCELLED,
    BoardJob.State.DONE,
)


def state_of(jobs: Iterable[BoardJob]) -> str:
    """One word for all jobs of a request: what is still being done, else the worst of how they ended."""
    states = {job.state for job in jobs}
    return next(str(state) for state in STATES_BY_WEIGHT if state in states)


def cancel(jobs: Iterable[BoardJob], now: datetime) -> int:
    """End those that are not over; their live boards stay as they are. Returns how many. Repeatable.

    Whoever is working on one notices with its next chunk.
    """
    count = 0
    for job in jobs:
        ended = BoardJob.objects.unfinished().filter(pk=job.pk)
        if ended.update(state=BoardJob.State.CANCELLED, finished_at=now):
            count += 1
            abandon(job)
    return count


def abandon(job: BoardJob) -> None:
    """Drop what a rebuild has begun in Redis. With Redis away it goes by itself, when the lease has run out."""
    if job.token:
        try:
            staging.abandon(job.board, job.token)
        except BoardsUnavailable:
            return
