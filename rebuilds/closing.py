"""Closing: the final standings of a period that is over go into the archive, exactly once.

They are computed from the totals, so neither Redis nor the outbox has a say. A period that ended while everything was off is
found by the next run like any other.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from boards.models import ArchivedPeriod
from rebuilds.models import PeriodNotice
from rebuilds.notices import write_notice
from rebuilds.sql import statement
from scoring.database import fetch_all
from scoring.ledger_locks import hold_ledgers
from scoring.models import Period, ReviewState
from scoring.ranking import Order, Ties

log = logging.getLogger(__name__)

SETTLING = timedelta(seconds=10)
"""How long after its close a period is left alone: longer than a score can be on its way from the look at the clock, which
lets it count, to its transaction (a wait for a connection, rules of a second ago)."""

WRITERS_WAIT_MS = 2_000

LONGEST_PAUSE = timedelta(hours=1)

NUMBER_SIGNS = {Ties.FIRST: 1, Ties.LATEST_FIRST: -1, Ties.SHARED: 0}


def close_periods(clock: Callable[[], datetime]) -> int:
    """Archive every period that is over; returns how many this call wrote. Repeatable, by several workers at once.

    A period whose archive fails waits longer each time, and holds up no other. A crash leaves nothing half: the next call
    begins again. Raises the database's own errors if it is away.
    """
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
    return written


def list_closed_periods(now: datetime) -> int:
    """Note the periods that are over, so that they get archived; how many were new. 1 statement."""
    return len(fetch_all(statement("list_closed_periods"), {"now": now, "closed_by": now - SETTLING}))


def claim_period(now: datetime) -> int | None:
    """The next period to archive, with a pause for others that doubles from 2 seconds to an hour; None if there is none.

    The pause is committed before the work begins: one that kills its worker each time does not take all of them.
    """
    with transaction.atomic():
        ready = ArchivedPeriod.objects.waiting().filter(retry_at__lte=now)
        row = ready.order_by("attempts", "closed_at").select_for_update(skip_locked=True).first()
        if row is None:
            return None
        row.attempts += 1
        row.retry_at = now + min(timedelta(seconds=2 ** min(row.attempts, 12)), LONGEST_PAUSE)
        row.save(update_fields=["attempts", "retry_at"])
        return row.period_id


def archive_period(period_id: int, now: datetime) -> bool:
    """Write the period's final standings and its notice, in one transaction; or replace them, if they are outdated.

    False if there is nothing to do: another worker has done it or is at it, or the period is open once more. Scores of the
    leaderboard wait only while those already begun are being finished, not for the computing.
    """
    period = Period.objects.select_related("leaderboard").get(pk=period_id)
    if not _writers_have_finished(period.leaderboard_id):
        return False
    with transaction.atomic():
        row = ArchivedPeriod.objects.waiting().select_for_update(skip_locked=True).filter(pk=period_id).first()
        if row is None or not is_over(period, now):
            return False
        is_first = row.archived_at is None
        if not is_first:
            fetch_all(statement("delete_archive"), {"period_id": period_id})
        ((boards, entries),) = fetch_all(statement("archive_period"), _parameters(period))
        row.archived_at, row.is_outdated = now, False
        row.attempts, row.retry_at, row.problem = 0, now, ""
        row.save()
        kind = PeriodNotice.Kind.CLOSED if is_first else PeriodNotice.Kind.CORRECTED
        write_notice(period, kind, now)
    log.info("archived %s:%s: %s boards, %s entries", period.leaderboard.slug, period.label, boards, entries)
    return True


def archive_again(period_id: int) -> bool:
    """Have a closed period's standings made anew by the next run: its totals were changed. Repeatable.

    To be called in the transaction of the change, or after it. False if the period is not archived: then there is nothing
    that could be outdated. A run that is under way is waited for.
    """
    rows = ArchivedPeriod.objects.filter(period_id=period_id, archived_at__isnull=False)
    return rows.update(is_outdated=True) > 0


def is_over(period: Period, now: datetime) -> bool:
    """Whether the period takes no more events, late ones included, and those on their way have arrived."""
    if period.ends_at is None:
        return False
    return period.ends_at + timedelta(seconds=period.leaderboard.grace_seconds) + SETTLING <= now


def _writers_have_finished(leaderboard_id: int) -> bool:
    """Wait for the transactions that are writing the ledger: one of them may have seen the period open.

    Scores that come meanwhile wait too, so it gives up soon: False, should one of them be stuck.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {WRITERS_WAIT_MS}")
            hold_ledgers([leaderboard_id])
    except OperationalError as error:
        if not isinstance(error.__cause__, LockNotAvailable):
            raise
        log.warning("a transaction that writes the ledger of leaderboard %s does not end", leaderboard_id)
        return False
    return True


def _parameters(period: Period) -> dict[str, object]:
    leaderboard = period.leaderboard
    return {
        "period_id": period.pk,
        "shown_state": int(ReviewState.CLEAR),
        "scopes": leaderboard.scopes,
        "direction": Order(leaderboard.order).direction,
        "number_sign": NUMBER_SIGNS[Ties(leaderboard.ties)],
    }
