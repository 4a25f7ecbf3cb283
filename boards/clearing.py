"""After a loss: what Redis has of before can't be trusted. What nobody needs goes; open boards stay until they are rebuilt."""

from collections.abc import Callable
from datetime import datetime

from boards import store
from boards.archived_periods import archived_period_id
from boards.board_ids import find_board
from boards.keys import BOARD_COPIES_PATTERN, BOARD_KEYS_PATTERN, board_id_of
from boards.store import Call
from scoring.errors import LeaderboardError

KEYS_A_ROUND = 1_000

STAGING_SUFFIXES = ("}:new", "}:new:details", "}:lease", "}:new:previous", "}:built")
"""Custom windows go too: without what says that they are built they are built anew when asked for."""
OLD_SUFFIXES = ("}:fence", "}:previous")


def clear_leftovers(*, fences: bool) -> int:
    """Drop all staging copies, leases and custom windows, so that what was filled in begins anew; how many keys.

    `fences`: also what may know of people who were erased since, the fences and the previous ranks.

    Whoever writes a staging board next finds its lease gone. Repeatable. 2 round trips for each KEYS_A_ROUND keys that Redis
    has. BoardsUnavailable.
    """
    suffixes = (*STAGING_SUFFIXES, *OLD_SUFFIXES) if fences else STAGING_SUFFIXES
    return _drop(BOARD_COPIES_PATTERN, lambda key: key.endswith(suffixes))


def clear_archived_boards(now: datetime) -> int:
    """Drop the boards of archived periods, of all scopes; how many keys.

    Those of an old file may be older than the archive, which answers for them. A board whose period is closed but not archived
    yet stays: nothing goes before its final standings are written. Nobody begins a closed board anew (see `boards.writes`).
    Repeatable, costs likewise, and 1 query for each closed period. BoardsUnavailable.
    """
    return _drop(BOARD_KEYS_PATTERN, lambda key: _is_archived(board_id_of(key), now))


def _is_archived(board_id: str | None, now: datetime) -> bool:
    try:
        return board_id is not None and archived_period_id(find_board(board_id, now), now) is not None
    except LeaderboardError:
        # Left to the expiry audit: it may be newer than what this process knows.
        return False


def _drop(pattern: str, is_to_go: Callable[[str], bool]) -> int:
    dropped, cursor, is_first = 0, 0, True
    while cursor or is_first:
        is_first = False
        cursor, keys = store.scan(pattern, cursor, KEYS_A_ROUND)
        found = [key for key in keys if is_to_go(key)]
        if found:
            # One call a key: they are in as many cluster slots.
            store.run([Call("drop", [key], []) for key in found])
        dropped += len(found)
    return dropped
