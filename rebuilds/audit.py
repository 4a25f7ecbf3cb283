"""The expiry audit: every key of a board expires when its rule says, and none before its final standings are archived.

The writers see to all of this themselves. What the audit finds is a fault of theirs, or somebody's hand: it is mended, logged
and counted.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.db.models import F

from boards import store
from boards.archived_periods import archived_period_id
from boards.board_ids import BoardNotFound, find_board
from boards.keys import BOARD_KEYS_PATTERN, board_id_of, board_keys
from boards.store import Call
from boards.windows import FOLLOWED
from rebuilds.models import ExpiryFind
from scoring.errors import LeaderboardNotFound
from scoring.periods import CustomWindow

log = logging.getLogger(__name__)

KEYS_A_STEP = 250

NOT_ARCHIVED_LIVES = timedelta(days=1)
"""A board that is not archived may not end sooner: its archive is late, and somebody has this long to see to it."""

UNKNOWN = "unknown_board"
"""Of no leaderboard or period that there is. Nothing is done about it: it may be newer than what this process knows."""


def audit_expiry(clock: Callable[[], datetime]) -> Counter[str]:
    """Look at all boards in small steps, mend what is wrong; how much of what was found. Repeatable, also side by side.

    BoardsUnavailable, and then the next run begins again. 2 round trips for each KEYS_A_STEP keys.
    """
    finds: Counter[str] = Counter()
    cursor, is_first = 0, True
    while cursor or is_first:
        is_first = False
        cursor, keys = store.scan(BOARD_KEYS_PATTERN, cursor, KEYS_A_STEP)
        board_ids = {board_id for key in keys if (board_id := board_id_of(key))}
        finds += _audit(sorted(board_ids), clock())
    return finds


def _audit(board_ids: Iterable[str], now: datetime) -> Counter[str]:
    finds: list[tuple[str, str]] = []
    calls: dict[str, Call] = {}
    for board_id in board_ids:
        call = _call(board_id, now)
        if call is None:
            finds.append((board_id, UNKNOWN))
        else:
            calls[board_id] = call
    for board_id, words in zip(calls, store.run(list(calls.values())) if calls else [], strict=True):
        finds += [(board_id, word.decode()) for word in words]
    for board_id, word in finds:
        log.warning("expiry audit: %s of %s", word, board_id)
        _count(board_id, word, now)
    return Counter(word for _, word in finds)


def _call(board_id: str, now: datetime) -> Call | None:
    try:
        board = find_board(board_id, now)
    except (LeaderboardNotFound, BoardNotFound):
        return None
    kept, is_archived = board.kept or timedelta(), archived_period_id(board, now) is not None
    needed = timedelta() if is_archived else NOT_ARCHIVED_LIVES
    if isinstance(board.window, CustomWindow):
        # Its fence outlives a short life, and it has no archive of its own.
        kept, needed = max(kept, FOLLOWED), timedelta()
    seconds = [int(span.total_seconds()) for span in (kept, needed)]
    shows_previous = board.rules.show_previous_rank and not is_archived
    return Call("audit_expiry", board_keys(board_id), [*seconds, int(shows_previous)])


def _count(board_id: str, word: str, now: datetime) -> None:
    last = {"last_board": board_id[:160], "last_at": now}
    ExpiryFind.objects.get_or_create(found=word, defaults=last)
    ExpiryFind.objects.filter(found=word).update(count=F("count") + 1, **last)
