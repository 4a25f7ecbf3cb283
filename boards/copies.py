"""Reading one copy of a board, the live or the staging one, as it is stored: for comparing, not for showing."""

from collections.abc import Sequence
from typing import NamedTuple

from boards import store
from boards.keys import board_keys
from boards.store import Call

PLAYERS_A_CALL = 250
"""Holds Redis for less than half a millisecond; with more, readers would notice."""


class Copy(NamedTuple):
    """The keys of one copy."""

    board: str
    details: str

    @classmethod
    def live(cls, board_id: str) -> "Copy":
        keys = board_keys(board_id)
        return cls(keys.live, keys.details)

    @classmethod
    def staging(cls, board_id: str) -> "Copy":
        keys = board_keys(board_id)
        return cls(keys.staging, keys.staging_details)


class Stored(NamedTuple):
    """A player's entry as stored; `score` of None: not on this copy."""

    score: bytes | None
    details: bytes | None


class Contents(NamedTuple):
    """Entries by column, in the order asked for, and how many players the copy has in all."""

    player_count: int
    scores: list[bytes | None]
    details: list[bytes | None]

    @property
    def entries(self) -> list[Stored]:
        return list(map(Stored, self.scores, self.details))


def read_copy(copy: Copy, player_ids: Sequence[str | bytes]) -> Contents:
    """What the copy says of these players. 1 round trip, and atomic, for each PLAYERS_A_CALL of them.

    Not in a pipeline, which would be carried out in one go.
    """
    firsts = range(0, max(len(player_ids), 1), PLAYERS_A_CALL)
    calls = [Call("read_copy", copy, player_ids[first : first + PLAYERS_A_CALL]) for first in firsts]
    replies = [reply for call in calls for reply in store.run([call])]
    contents = Contents(replies[-1][0], [], [])
    for _, scores, details in replies:
        contents.scores.extend(scores)
        contents.details.extend(details or [None] * len(scores))
    return contents


def scan_copy(copy: Copy, cursor: int) -> tuple[int, list[str]]:
    """A part of who is on the copy, and the cursor to go on with; 0 to begin, and at the end. See scan_copy.lua.

    What is no UTF-8 comes with surrogate escapes (PEP 383).
    """
    ((next_cursor, player_ids),) = store.run([Call("scan_copy", (copy.board,), (cursor, PLAYERS_A_CALL))])
    return int(next_cursor), [player_id.decode(errors="surrogateescape") for player_id in player_ids]


def draw_copy(copy: Copy, count: int) -> list[str]:
    """Up to `count` of who is on the copy, at random; ids as of `scan_copy`. 1 round trip."""
    (player_ids,) = store.run([Call("draw_copy", (copy.board,), (count,))])
    return [player_id.decode(errors="surrogateescape") for player_id in player_ids]
