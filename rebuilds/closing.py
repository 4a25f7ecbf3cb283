"""Closing: every period that is over is archived, exactly once.

A period that ended while everything was off is found by the next run like any other.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, transaction

from boards.archive_erasure import erase_archived_details
from boards.models import ArchivedPeriod
from rebuilds.archiving import SETTLING, archive_again, archive_period, digest_totals
from rebuilds.jobs import ask_rebuild
from rebuilds.selection import boards_of
from rebuilds.sql import statement
from scoring.database import fetch_all
from scoring.models import Period, Player, ReviewState
from scoring.period_rows import load_open_period_ids
from scoring.rules import forget_rules, get_rules_of

log = logging.getLogger(__name__)

ASKED_BY = "reopening"

LONGEST_PAUSE = timedelta(hours=1)

SECOND_LOOK = timedelta(minutes=2)
"""How long after it was archived a period's totals are looked at once more."""


def close_periods(clock: Callable[[], datetime]) -> int:
    """Archive every period that is over; returns how many this call wrote. Repeatable, by several workers at once.

    A period whose archive fails waits longer each time, and holds up no other. A crash leaves nothing half: the next call
    begins again. Raises the database's own errors if it is away.
    """
    look_again(clock())
    list_closed_periods(clock())
    written = 0
    while (period_id := claim_period(clock())) is not None:
        try:
            written += archive_period(period_id, clock())
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            # Whatever is wrong with this one must not stop the rest.
            log.exception("could not archive period %s", period_id)
            problem = f"{type(error).__name__}: {error}"[:500]
            ArchivedPeriod.objects.filter(period_id=period_id).update(problem=problem)
    rebuild_open_again(clock())
    return written


def list_closed_periods(now: datetime) -> int:
    """Note the periods that are over, so that they get archived; how many were new. 1 statement."""
    return len(fetch_all(statement("list_closed_periods"), {"now": now, "closed_by": now - SETTLING}))


def rebuild_open_again(now: datetime) -> int:
    """Have the boards of archived periods rebuilt that are open once more, since their end or the grace was moved; of how many.

    Their boards may have expired, or have been dropped after a loss of Redis. Once an opening, also side by side.
    """
    archived = ArchivedPeriod.objects.filter(archived_at__isnull=False, is_open_again=False)
    found = list(archived.filter(period__in=load_open_period_ids(now)).select_related("period"))
    if found:
        # Who has moved the end knew of it before this process does.
        forget_rules()
    return sum(_rebuild_boards_of(row.period, now) for row in found)


def _rebuild_boards_of(period: Period, now: datetime) -> bool:
    boards = [
        board for board in boards_of(get_rules_of(period.leaderboard_id), now) if board.window.label == period.label
    ]
    with transaction.atomic():
        is_mine = ArchivedPeriod.objects.filter(period=period, is_open_again=False).update(is_open_again=True)
        if is_mine:
            ask_rebuild(boards, ASKED_BY, now)
            log.warning("%s is open again; its boards are rebuilt", period)
    return bool(is_mine)


def claim_period(now: datetime) -> int | None:
    """The next period to archive, with a pause for others that doubles from 2 seconds to an hour; None if there is none.

    The pause is committed before the work begins: one that kills its worker each time does not take all of them.
    """
    with transaction.atomic():
        ready = ArchivedPeriod.objects.waiting().filter(retry_at__lte=now)
        row = ready.order_by("attempts", "closed_at").select_for_update(skip_locked=True).first()
        if row is None:
            return None
        row.attempts = min(row.attempts + 1, 1_000)
        row.retry_at = now + min(timedelta(seconds=2 ** min(row.attempts, 12)), LONGEST_PAUSE)
        row.save(update_fields=["attempts", "retry_at"])
        return row.period_id


def look_again(now: datetime) -> int:
    """Whether the totals of what was archived a while ago are still those that it was computed from; how many were not, and
    are made anew by the next run.

    No score comes into a sealed period, so that is a net: for processes of a version that knows no seal, and for hands. An
    erasure that met the computing left its details there.
    """
    changed = 0
    for row in ArchivedPeriod.objects.filter(is_settled=False, archived_at__lte=now - SECOND_LOOK):
        if digest_totals(row.period_id) != row.totals_digest:
            log.warning("the totals of period %s changed after it was archived; it is archived again", row.period_id)
            changed += archive_again(row.period_id)
        else:
            erased = Player.objects.filter(review_state=ReviewState.ERASED).values_list("pk", flat=True)
            erase_archived_details(list(erased), row.period_id)
            ArchivedPeriod.objects.filter(pk=row.pk, archived_at=row.archived_at).update(is_settled=True)
    return changed
