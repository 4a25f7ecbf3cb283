"""Jobs worked on by hand: no broker, no worker, no waiting."""

from collections.abc import Callable
from datetime import datetime, timedelta

from boards.board_ids import find_board
from rebuilds import jobs, running
from rebuilds.models import BoardJob
from rebuilds.running import Turn
from tests.factories import NOW

CLAIM = timedelta(seconds=10)
AT_ONCE = 2

Clock = Callable[[], datetime]


def ask(*board_ids: str, kind: str = "rebuild", now: datetime = NOW) -> list[BoardJob]:
    """Ask for them in one request."""
    boards = [find_board(board_id, now) for board_id in board_ids]
    asking = jobs.ask_rebuild if kind == "rebuild" else jobs.ask_verification
    return jobs.load_request(asking(boards, "a test", now))


def sweep(now: datetime = NOW, at_once: int = AT_ONCE) -> list[Turn]:
    return running.sweep(now, CLAIM, at_once)


def run(turn: Turn, now: datetime = NOW, seconds: float = 60) -> Turn | None:
    return running.run_turn(turn, lambda: now, CLAIM, seconds)


def work(now: datetime = NOW, at_once: int = AT_ONCE, seconds: float = 60) -> None:
    """Everything that can be done without waiting."""
    while turns := sweep(now, at_once):
        for turn in turns:
            following: Turn | None = turn
            while following is not None:
                following = run(following, now, seconds)


def rebuild(board_id: str = "quiz:all:global", now: datetime = NOW) -> BoardJob:
    """A rebuild from beginning to end."""
    (job,) = ask(board_id, now=now)
    work(now)
    job.refresh_from_db()
    return job
