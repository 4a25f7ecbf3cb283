"""After a loss: what stands beside the boards from before can't be trusted, and goes."""

from boards import store
from boards.keys import BOARD_COPIES_PATTERN
from boards.store import Call

KEYS_A_ROUND = 1_000

STAGING_SUFFIXES = ("}:new", "}:new:details", "}:lease")
FENCE_SUFFIX = "}:fence"


def clear_leftovers(*, fences: bool) -> int:
    """Drop all staging boards and leases, so that rebuilds begin anew, and the fences if asked to; how many keys.

    Whoever writes a staging board next finds its lease gone. Repeatable. 2 round trips for each KEYS_A_ROUND keys that Redis
    has. BoardsUnavailable.
    """
    suffixes = (*STAGING_SUFFIXES, FENCE_SUFFIX) if fences else STAGING_SUFFIXES
    cleared, cursor, is_first = 0, 0, True
    while cursor or is_first:
        is_first = False
        cursor, keys = store.scan(BOARD_COPIES_PATTERN, cursor, KEYS_A_ROUND)
        found = [key for key in keys if key.endswith(suffixes)]
        if found:
            # One call a key: they are in as many cluster slots.
            store.run([Call("drop", [key], []) for key in found])
        cleared += len(found)
    return cleared
