"""Which periods are archived, as far as this process knows.

Asked with each read: an open period is told by the clock, and one that is archived stays so; only a period that is closed and
not archived yet costs a query, once in ASK_AGAIN_SECONDS.
"""

import time
from datetime import datetime

from boards.archive_access import ArchiveUnavailable, archive_access
from boards.board_ids import Board
from boards.models import ArchivedPeriod

ASK_AGAIN_SECONDS = 1.0
MOST_KNOWN = 10_000

_Key = tuple[int, str]

_archived: dict[_Key, int] = {}
_ask_again_at: dict[_Key, float] = {}


def archived_period_id(board: Board, now: datetime) -> int | None:
    """The board's period, if it is over and its final standings are written; else None, also when nobody can tell.

    Another process's archive is known within ASK_AGAIN_SECONDS.
    """
    closes_at = board.closes_at
    if closes_at is None or now < closes_at:
        return None
    key = board.rules.leaderboard_id, board.window.label
    period_id = _archived.get(key)
    if period_id is None and _ask_again_at.get(key, 0.0) <= time.monotonic():
        period_id = _ask(key)
    return period_id


def forget_archived_periods() -> None:
    """Make the next caller in this process ask anew."""
    _archived.clear()
    _ask_again_at.clear()


def _ask(key: _Key) -> int | None:
    leaderboard_id, label = key
    for known in (_archived, _ask_again_at):
        if len(known) >= MOST_KNOWN:
            known.clear()
    rows = ArchivedPeriod.objects.filter(
        period__leaderboard_id=leaderboard_id, period__label=label, archived_at__isnull=False
    )
    try:
        with archive_access():
            period_id = rows.values_list("period_id", flat=True).first()
    except ArchiveUnavailable:
        # Redis may have the board still, and answers for it.
        period_id = None
    if period_id is None:
        _ask_again_at[key] = time.monotonic() + ASK_AGAIN_SECONDS
    else:
        _archived[key] = period_id
    return period_id
