"""What the board of a custom window must show: the fold of its players' totals of these days."""

from typing import Any

from boards.board_ids import Board
from boards.window_writes import days_of, is_member
from rebuilds.truth import UNTOLD, Truth, segment_of
from scoring.periods import CustomWindow
from scoring.totals import BoardRows

TOTALS_AT_ONCE = 16_000
"""A player brings several, and only the fold is sent."""


class WindowTruth(Truth):
    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self._days = days_of(board)

    def count(self) -> int:
        """About how many players are on the board, hardly more than there are."""
        return self._days.count(*segment_of(self.board))

    def _load_portion(self, after: int) -> BoardRows:
        return self._days.load_portion(after, TOTALS_AT_ONCE, *segment_of(self.board))

    def _load_players(self, player_ids: list[str]) -> list[tuple[Any, ...]]:
        """Snapshot numbers differ with each reading, also of rows that have not changed: for comparing there is no epoch."""
        return [
            (row.key, row.player_id, row.points is not None and is_member(self.board, row), UNTOLD, *row[5:])
            for row in self._days.load_players(player_ids)
            if row.key is not None
        ]


def truth_of(board: Board) -> Truth:
    """What the board is made of, a period's totals or those of a run of days."""
    return WindowTruth(board) if isinstance(board.window, CustomWindow) else Truth(board)
