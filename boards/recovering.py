"""What Redis itself says of a recovery: which boards may still show less than the totals say.

Kept beside the boards, so that readers learn of it in the same round trip, also while PostgreSQL is away.
"""

from collections.abc import Iterable

from boards import store
from boards.keys import RECOVERING
from boards.store import Call

ALL_BOARDS = "*"

FORGOTTEN_AFTER_SECONDS = 60
"""Said again every second; should nobody be left to say that it is over, it is over by then."""


def note_recovering(board_ids: Iterable[str]) -> None:
    """These boards, or ALL_BOARDS, are being recovered, and no others. Repeatable, 1 round trip. BoardsUnavailable."""
    store.run([Call("note_recovering", [RECOVERING], [FORGOTTEN_AFTER_SECONDS, *board_ids])])


def read_is_recovering() -> bool:
    """Whether some board is being recovered. 1 round trip. BoardsUnavailable."""
    (count,) = store.run([Call("count_recovering", [RECOVERING], [])])
    return bool(count)
