"""Who answers for a board: Redis, or the archive once the final standings of its period are written."""

from collections.abc import Sequence
from datetime import datetime

from boards import reads
from boards.archive import ArchivedBoardReader
from boards.archived_periods import archived_period_id
from boards.board_ids import Board
from boards.reads import Friend, Ranks, Read, Standing, Status, Top


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


def reader_of(board: Board, now: datetime) -> LiveBoardReader | ArchivedBoardReader:
    """The board's reader. No query for an open period."""
    period_id = archived_period_id(board, now)
    return LiveBoardReader(board) if period_id is None else ArchivedBoardReader(board, period_id)
