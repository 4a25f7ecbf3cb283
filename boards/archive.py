"""Final standings of a board, from PostgreSQL. Ranks are stored, so that each read is an index look-up a line.

The answers are those that `boards.reads` gives of a board in Redis. Each is 1 query, and so of one moment, also while the
archive is being made anew. ArchiveUnavailable while PostgreSQL is away.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, Raw

from boards.archive_access import archive_access
from boards.board_ids import Board
from boards.entries import Entry
from boards.percent import top_percent
from boards.reads import Friend, PlayerNotRanked, Ranks, Standing, Status, Top, among_themselves
from boards.sql import statement
from scoring.database import array_of_ids, array_of_numbers, fetch_all
from scoring.models import ReviewState
from scoring.points import from_units

SHOWN = array_of_numbers([ReviewState.CLEAR, ReviewState.FLAGGED])
"""Who was flagged after the end keeps the place; who was erased is not shown."""


class ArchivedBoardReader:
    """Reads of one archived board."""

    closed = True

    def __init__(self, board: Board, period_id: int) -> None:
        self._board = board
        self._board_key = {"period_id": period_id, "scope": board.scope, "shown_states": SHOWN}

    def top(self, n: int, offset: int) -> Top:
        """The places from `offset` + 1 to `offset` + `n`, without those of erased players."""
        rows = self._load("load_archived_page", first=offset + 1, last=offset + n)
        entries = [self._entry(row) for row in rows if row[1] is not None]
        return Top(rows[0][0] if rows else 0, entries)

    def standing(self, player_id: str, around: int) -> Standing:
        """One player's entry with up to `around` neighbours on each side. PlayerNotRanked."""
        rows = self._load("load_archived_neighbours", player_id=player_id, around=around)
        entries = [self._entry(row) for row in rows]
        own = next((entry for entry in entries if entry.player_id == player_id), None)
        if own is None or own.rank is None:
            raise PlayerNotRanked(f"{player_id} is not on {self._board.id}")
        players = rows[0][0]
        return Standing(own, own.rank, players, top_percent(own.rank, players), entries if around else [])

    def ranks(self, player_ids: Sequence[str]) -> Ranks:
        """The entries of these players in the order asked for; rank and points None for who is not on the board."""
        if not player_ids:
            return Ranks(self.status().players, [])
        rows = self._load("load_archived_players", player_ids=array_of_ids(player_ids))
        return Ranks(rows[0][0] or 0, [self._entry(row) for row in rows])

    def friends(self, player_ids: Sequence[str]) -> list[Friend]:
        """These players among themselves, best first; those who are not on the board are left out."""
        return among_themselves(self.ranks(list(dict.fromkeys(player_ids))).entries)

    def status(self) -> Status:
        """How many players were ranked."""
        rows = self._load("load_archived_page", first=1, last=0)
        return Status(rows[0][0] if rows else 0, is_rebuilding=False, is_recovering=False)

    def _load(self, name: str, **parameters: Any) -> list[tuple[Any, ...]]:
        with archive_access():
            return fetch_all(statement(name), {**self._board_key, **parameters})

    def _entry(self, row: tuple[Any, ...]) -> Entry:
        _, _, rank, player_id, name, units, details = row
        points = None if units is None else from_units(units, self._board.rules.scale)
        return Entry(rank, player_id, name or None, points, Raw(details.encode()) if details else UNSET)
