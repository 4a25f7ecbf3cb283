"""Custom windows that somebody has asked for are built: each is a rebuild, of a board that is not there yet."""

from datetime import datetime, timedelta

from django.db import connection, transaction

from boards.store import BoardsUnavailable
from boards.windows import list_living, read_built
from rebuilds.jobs import ask_rebuild
from rebuilds.models import BoardJob

ASKED_BY = "who asked for the window"

PAUSE = timedelta(seconds=30)
"""After a build that failed or was cancelled: whoever asks for the window goes on asking."""


def ask_builds(now: datetime) -> int:
    """Have all windows built that are listed and not there; how many. May run several times at once.

    None while Redis is away: then nobody can ask for one. 1 round trip if there are no windows, else 2, and 2 queries if one
    is wanted.
    """
    try:
        listed = list_living(now)
        wanted = [board for board, is_built in zip(listed, read_built(listed), strict=True) if not is_built]
    except BoardsUnavailable:
        return 0
    if not wanted:
        return 0
    with transaction.atomic(), connection.cursor() as cursor:
        # Two of these would both see that nobody builds it.
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('rebuilds.windows.ask_builds'))")
        in_hand = _in_hand([board.id for board in wanted], now)
        asked = [board for board in wanted if board.id not in in_hand]
        if asked:
            ask_rebuild(asked, ASKED_BY, now)
    return len(asked)


def _in_hand(board_ids: list[str], now: datetime) -> set[str]:
    """Those that are being built, or whose last build has just ended otherwise than well."""
    rebuilds = BoardJob.objects.filter(kind=BoardJob.Kind.REBUILD, board__in=board_ids)
    badly = rebuilds.filter(state__in=(BoardJob.State.FAILED, BoardJob.State.CANCELLED), finished_at__gt=now - PAUSE)
    return set((rebuilds.unfinished() | badly).values_list("board", flat=True))
