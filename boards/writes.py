"""What a player's rows mean for the boards: pure translation of totals into one call of the apply script a board."""

import json
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import lru_cache

from boards.board_ids import GLOBAL, KEPT
from boards.keys import board_keys
from boards.packing import pack
from boards.store import Argument, Call
from scoring.models import ReviewState
from scoring.rules import Rules
from scoring.totals import PeriodInfo, TotalRow

REMOVED = ""


class BoardWrites:
    """The writes of one board, gathered over many players."""

    def __init__(self, board_id: str, kept: timedelta | None, *, may_begin: bool) -> None:
        self.board_id = board_id
        self._kept_seconds = int(kept.total_seconds()) if kept else 0
        self._may_begin = may_begin
        self.raises: list[Argument] = []
        """Of epoch 0, which nearly all are: packed score, player id, packed score, …"""
        self.by_epoch: list[Argument] = []
        """All others: player id, epoch, packed score or REMOVED, …"""

    def call(self) -> Call:
        head: list[Argument] = [self._kept_seconds, int(self._may_begin), len(self.raises) // 2]
        return Call("apply", board_keys(self.board_id), [*head, *self.raises, *self.by_epoch])


class PeriodBoards:
    """All boards of one period, by scope."""

    def __init__(self, rules: Rules, period: PeriodInfo, now: datetime) -> None:
        window = period.window
        grace = timedelta(seconds=rules.grace_seconds)
        self.first_accept_no = period.first_accept_no
        self._prefix = f"{rules.slug}:{window.label}:"
        self._kept = KEPT[window.kind]
        # A closed period's board may have expired: it must not begin anew with the one player just corrected.
        self._may_begin = window.ends_at is None or now < window.ends_at + grace
        self._ranked = rules.scopes
        self.boards: dict[str, BoardWrites] = {}

    def add(self, row: TotalRow) -> None:
        """Write the row to every board of its player: shown, or removed where the player is not or no longer ranked.

        ValueError if the total can't be packed.
        """
        current = scopes_of(row.segments, self._ranked)
        left = (
            [scope for scope in row.former_scopes if scope.partition(":")[0] in self._ranked]
            if row.former_scopes
            else ()
        )
        packed: Argument = REMOVED
        if row.review_state == ReviewState.CLEAR:
            packed = pack(row.points, row.accept_no - self.first_accept_no)
        if row.epoch == 0:
            for scope in current:
                self._board(scope).raises += (packed, row.player_id)
            return
        for scope in current:
            self._board(scope).by_epoch += (row.player_id, row.epoch, packed)
        for scope in left:
            self._board(scope).by_epoch += (row.player_id, row.epoch, REMOVED)

    def _board(self, scope: str) -> BoardWrites:
        board = self.boards.get(scope)
        if board is None:
            board = BoardWrites(self._prefix + scope, self._kept, may_begin=self._may_begin)
            self.boards[scope] = board
        return board


@lru_cache(maxsize=100_000)
def scopes_of(segments: str, ranked: tuple[str, ...]) -> tuple[str, ...]:
    """The scopes whose boards a player is on, given the segments as JSON text and the names that are ranked."""
    values = json.loads(segments)
    return (GLOBAL, *(f"{name}:{values[name]}" for name in ranked if name in values))


def calls_of(rows: Iterable[TotalRow], boards_of: Callable[[int], PeriodBoards]) -> list[Call]:
    """One call a board that the rows touch."""
    periods: dict[int, PeriodBoards] = {}
    for row in rows:
        boards = periods.get(row.period_id)
        if boards is None:
            boards = periods[row.period_id] = boards_of(row.period_id)
        boards.add(row)
    return [board.call() for boards in periods.values() for board in boards.boards.values()]
