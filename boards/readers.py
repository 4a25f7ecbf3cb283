"""Who answers for a board: Redis, or the archive once the final standings of its period are written.

A custom window is in Redis, or is built when somebody asks for it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NoReturn, TypeVar

from boards import reads
from boards.archive import ArchivedBoardReader
from boards.archived_periods import archived_period_id
from boards.board_ids import Board
from boards.reads import Friend, Ranks, Read, Standing, Status, Top, WindowRead
from boards.windows import BoardBuilding, use_call
from scoring.periods import CustomWindow

T = TypeVar("T")


class LiveBoardReader:
    """Reads of one board in Redis, to be carried: 1 round trip each, no query."""

    closed = False

    def __init__(self, board: Board) -> None:
        self._board = board

    def top(self, n: int, offset: int) -> Read[Top]:
        return reads.top(self._board, n, offset)

    def standing(self, player_id: str, around: int) -> Read[Standing]:
        return reads.standing(self._board, player_id, around)

    def ranks(self, player_ids: Sequence[str]) -> Read[Ranks]:
        return reads.ranks(self._board, player_ids)

    def friends(self, player_ids: Sequence[str]) -> Read[list[Friend]]:
        return reads.friends(self._board, player_ids)

    def status(self) -> Read[Status]:
        return reads.status(self._board)


class WindowBoardReader:
    """Reads of a custom window, each of which keeps it in Redis for a while; 2 round trips each, no query.

    BoardBuilding while it is not there, TooManyWindows if it is not going to be.
    """

    closed = False

    def __init__(self, board: Board, now: datetime) -> None:
        self._board = board
        self._live = LiveBoardReader(board)
        self._use = use_call(board, now)

    def top(self, n: int, offset: int) -> WindowRead[Top]:
        return self._built(self._live.top(n, offset))

    def standing(self, player_id: str, around: int) -> WindowRead[Standing]:
        return self._built(self._live.standing(player_id, around))

    def ranks(self, player_ids: Sequence[str]) -> WindowRead[Ranks]:
        return self._built(self._live.ranks(player_ids))

    def friends(self, player_ids: Sequence[str]) -> WindowRead[list[Friend]]:
        return self._built(self._live.friends(player_ids))

    def status(self) -> WindowRead[Status]:
        """Also while it is not there."""
        unbuilt = Status(0, is_rebuilding=False, is_recovering=False, is_building=True)
        return WindowRead(self._use, self._live.status(), lambda: unbuilt)

    def _built(self, read: Read[T]) -> WindowRead[T]:
        return WindowRead(self._use, read, self._refuse)

    def _refuse(self) -> NoReturn:
        raise BoardBuilding(f"{self._board.id} is being built from its days; ask again", retry_after_seconds=1)


BoardReader = LiveBoardReader | ArchivedBoardReader | WindowBoardReader


def reader_of(board: Board, now: datetime) -> BoardReader:
    """The board's reader. No query for an open period."""
    if isinstance(board.window, CustomWindow):
        return WindowBoardReader(board, now)
    period_id = archived_period_id(board, now)
    return LiveBoardReader(board) if period_id is None else ArchivedBoardReader(board, period_id)
