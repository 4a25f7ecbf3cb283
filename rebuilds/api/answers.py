"""What the API of rebuilds takes and answers, as types. Encoded by msgspec."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType

from rebuilds.jobs import state_of
from rebuilds.models import BoardJob


class RebuildBody(msgspec.Struct):
    """One board, or all of a leaderboard."""

    board: str | UnsetType = UNSET
    leaderboard: str | UnsetType = UNSET


class BoardRebuild(msgspec.Struct):
    """One board of a rebuild. `loaded` rows of about `expected`; then as many are `verified`."""

    board: str
    state: str
    loaded: int
    verified: int
    expected: int
    percent: float
    rate: float
    started_at: datetime | None
    finished_at: datetime | None
    problem: str

    @classmethod
    def of(cls, job: BoardJob, now: datetime) -> "BoardRebuild":
        return cls(
            job.board,
            job.state,
            job.loaded,
            job.verified,
            job.expected,
            job.percent,
            job.rate(now),
            job.started_at,
            job.finished_at,
            job.problem,
        )


class RebuildAnswer(msgspec.Struct):
    """All boards of a request together. `state`: waiting, loading, verifying; in the end done, failed or cancelled.

    `rate` in rows a second: each is read to be loaded, and once more to be verified.
    """

    id: str
    state: str
    loaded: int
    verified: int
    expected: int
    percent: float
    rate: float
    asked_at: datetime
    boards: list[BoardRebuild]

    @classmethod
    def of(cls, jobs: Sequence[BoardJob], now: datetime) -> "RebuildAnswer":
        """Of one request, at least one."""
        boards = [BoardRebuild.of(job, now) for job in jobs]
        return cls(
            str(jobs[0].request),
            state_of(jobs),
            sum(board.loaded for board in boards),
            sum(board.verified for board in boards),
            sum(board.expected for board in boards),
            round(sum(board.percent for board in boards) / len(boards), 1),
            round(sum(board.rate for board, job in zip(boards, jobs, strict=True) if job.finished_at is None), 1),
            jobs[0].asked_at,
            boards,
        )
