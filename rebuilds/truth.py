"""What one board must show: the rows of its players, as the totals are now."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.functional import cached_property

from boards.board_ids import GLOBAL, Board
from boards.staging import StagedRow, StagedRows
from scoring.errors import LeaderboardError
from scoring.models import Period
from scoring.packing import Unpackable
from scoring.submissions import ID_PATTERN
from scoring.totals import (
    BoardRows,
    Selection,
    count_board,
    count_segment,
    has_more_totals,
    load_board,
    load_board_of,
    load_board_players,
    load_members,
)

NO_PERIOD = 0
"""The primary key of no row: the period has not begun, so nobody has a total in it."""

TOTALS_AT_ONCE = 500

READ_WHOLE = 20_000
"""Totals of a period that are all looked at for a segment's board, in a few hundredths of a second. Only of a larger period it is
worth while to ask who is in the segment, which may be everybody who ever played anything."""

MEMBERS_AT_ONCE = 500_000
"""About as many as a step gets through: each time, all players of the segment are looked at."""
UNTOLD = -1
"""The epoch of a row that does not tell which of two is the newer one."""

_is_player_id = re.compile(ID_PATTERN).match


class BoardClosed(LeaderboardError):
    """The board of a segment whose period is closed. Players may have moved since, and are ranked where they were then."""

    status, code = 409, "board_closed"


class Portion(NamedTuple):
    """The rows of some totals in the order of their key; `last` is None at the end, else where to go on from."""

    rows: StagedRows
    last: int | None
    problems: list[str]


class KnownPlayer(NamedTuple):
    """A player that exists. `row` of None: not on this board. `problem`: the total fits into no score."""

    primary_key: int
    epoch: int
    has_total: bool
    row: StagedRow | None
    problem: str | None


class Members:
    """Who is in a segment: a city's board in a large period costs as much as the city's players, not as all of the period.

    Whoever joins later is missing, as is whoever has a total only later: their events tell of them.
    """

    def __init__(self, segment: str, value: str) -> None:
        self._whose = segment, value
        self._after = 0
        self._keys: list[int] = []

    def following(self, after: int, count: int) -> list[int]:
        """Primary keys of the next players after this one, in their order; none at the end."""
        place = bisect_right(self._keys, after)
        if after < self._after or place == len(self._keys):
            place, self._after, self._keys = 0, after, load_members(*self._whose, after, MEMBERS_AT_ONCE)
        return self._keys[place : place + count]


class Truth:
    """The rows of one board. Every reading is a moment of its own: later ones may know more."""

    def __init__(self, board: Board) -> None:
        period = Period.objects.filter(leaderboard_id=board.rules.leaderboard_id, label=board.window.label).first()
        self.board = board
        self.period_id = period.pk if period else NO_PERIOD
        self._selection = Selection(self.period_id, *segment_of(board))
        self._first_accept_no = period.first_accept_no if period else 0
        self._packing = board.rules.packing

    @cached_property
    def _members(self) -> Members | None:
        """Who to ask for totals; None where all totals of the period are looked at. 1 query for a segment's board."""
        _, segment, value = self._selection
        if segment is None or value is None or not has_more_totals(self.period_id, READ_WHOLE):
            return None
        return Members(segment, value)

    def count(self) -> int:
        """About how many players are on the board; the flagged are counted too."""
        return count_board(self._selection) if self._members is None else count_segment(self._selection)

    def portion(self, after: int) -> Portion:
        """The rows of the next TOTALS_AT_ONCE totals, of a segment's board players, after this player; 0 to begin.

        1 query, and for a segment's board one more each MEMBERS_AT_ONCE.
        """
        loaded = self._load_portion(after)
        accept_nos = [accept_no - self._first_accept_no for accept_no in loaded.accept_nos]
        try:
            packed = self._packing.pack_all(loaded.points, accept_nos)
        except Unpackable:
            return self._without_unpackable(loaded)
        return Portion(StagedRows(loaded.player_ids, loaded.epochs, packed, loaded.details), loaded.last, [])

    def _without_unpackable(self, loaded: BoardRows) -> Portion:
        """Some totals fit into no score: those that do, and what is wrong with the others."""
        rows: list[StagedRow] = []
        problems: list[str] = []
        for player_id, epoch, points, accept_no, details in zip(*loaded[1:], strict=True):
            try:
                packed = self._packing.pack(points, accept_no - self._first_accept_no)
            except Unpackable as error:
                problems.append(f"{player_id}: {error}")
            else:
                rows.append(StagedRow(player_id, epoch, packed, details))
        return Portion(StagedRows.of(rows), loaded.last, problems)

    def players(self, player_ids: Iterable[str]) -> dict[str, KnownPlayer]:
        """Those of these players that exist, with their row if they are on the board. 1 query."""
        wanted = [player_id for player_id in player_ids if _is_player_id(player_id)]
        return {loaded[1]: self._known(loaded) for loaded in self._load_players(wanted)}

    def _load_portion(self, after: int) -> BoardRows:
        if self._members is None:
            return load_board(self._selection, after, TOTALS_AT_ONCE)
        return load_board_of(self._selection, self._members.following(after, TOTALS_AT_ONCE))

    def _load_players(self, player_ids: list[str]) -> list[tuple[Any, ...]]:
        return load_board_players(self._selection, player_ids)

    def _known(self, loaded: tuple[Any, ...]) -> KnownPlayer:
        primary_key, player_id, is_shown, epoch, points, accept_no, details = loaded
        has_total = points is not None
        if not is_shown:
            return KnownPlayer(primary_key, epoch, has_total, None, None)
        try:
            packed = self._packing.pack(points, accept_no - self._first_accept_no)
        except Unpackable as error:
            return KnownPlayer(primary_key, epoch, has_total, None, f"{player_id}: {error}")
        return KnownPlayer(primary_key, epoch, has_total, StagedRow(player_id, epoch, packed, details), None)


def segment_of(board: Board) -> tuple[str | None, str | None]:
    """Segment and value of the players on the board; None and None for everybody's."""
    segment, _, value = board.scope.partition(":")
    return (None, None) if board.scope == GLOBAL else (segment, value)


def require_known_members(board: Board, now: datetime) -> None:
    """Raise BoardClosed if the rows no longer tell who was on the board."""
    if board.scope != GLOBAL and board.is_closed_at(now):
        raise BoardClosed(
            f"{board.id} is closed: totals don't tell who was in {board.scope} when it was, its final standings do"
        )
