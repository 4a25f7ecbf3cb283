"""Display names, in one hash for all boards: written as they change, and filled anew as a whole.

While a copy is filled, every name that changes goes to both; the newest version wins, so the order does not matter. A name
that is in no row any more is gone with the swap.
"""

from collections.abc import Iterable

from boards import store
from boards.keys import NAMES, NAMES_COPY
from boards.store import Argument, Call

COPY_LIVES_SECONDS = 3600


def write_names(names: Iterable[tuple[str, int, str]]) -> bool:
    """Store these (player_id, version, name), where no newer version is. Whether a copy is being filled: it has them too.

    Repeatable, in any order. 1 round trip. BoardsUnavailable.
    """
    arguments: list[Argument] = [value for name in names for value in name]
    (filling,) = store.run([Call("write_names", [NAMES, NAMES_COPY], arguments)])
    return bool(filling)


def begin_names(token: str) -> None:
    """Begin a copy, empty, unless that of this token is there. Another one is thrown away. 1 round trip. BoardsUnavailable."""
    store.run([Call("begin_names", [NAMES_COPY], [token, COPY_LIVES_SECONDS])])


def swap_names(token: str) -> bool:
    """Put the copy in the place of the names; False if it is not ours. 1 round trip, O(1). BoardsUnavailable."""
    (swapped,) = store.run([Call("swap_names", [NAMES, NAMES_COPY], [token])])
    return bool(swapped)
