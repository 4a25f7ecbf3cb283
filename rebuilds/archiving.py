"""Archiving: a closed period's final standings, written once; and once more if its totals were changed.

They are computed from the totals, so neither Redis nor the outbox has a say.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction

from boards.models import ArchivedPeriod
from rebuilds.models import PeriodNotice
from rebuilds.notices import write_notice
from rebuilds.ranking import ranking_parameters
from rebuilds.sql import statement
from scoring.database import fetch_all
from scoring.ledger_locks import LedgerBusy, ledger_held
from scoring.models import Period

log = logging.getLogger(__name__)

SETTLING = timedelta(seconds=10)
"""How long after its close a period is left alone: longer than a score is usually on its way from the look at the clock, which
lets it count, to its transaction (a wait for a connection, rules of a second ago). A later one is refused."""

WRITERS_WAIT_MS = 2_000


def archive_period(period_id: int, now: datetime) -> bool:
    """Write the period's final standings and its notice, in one transaction; or replace them, if they are outdated.

    False if there is nothing to do: another worker has done it or is at it, or the period is open once more. Scores of the
    leaderboard wait only while those already begun are being finished, not for the computing (7 s for a million players).
    """
    # Read before the totals: should it be reopened meanwhile, it is outdated.
    period = _seal(period_id, now)
    if period is None:
        return False
    with transaction.atomic():
        row = ArchivedPeriod.objects.waiting().select_for_update(skip_locked=True).filter(pk=period_id).first()
        if row is None:
            return False
        is_first = row.archived_at is None
        # Before the standings: what changes in between is in them, and makes them once more for nothing.
        row.totals_digest = digest_totals(period_id)
        row.revision += 1
        parameters = {"period_id": period.pk, "revision": row.revision, **ranking_parameters(period.leaderboard)}
        ((boards, entries),) = fetch_all(statement("archive_period", scopes="scopes_of", ranked="ranked"), parameters)
        if not is_first:
            fetch_all(statement("delete_archive"), {"period_id": period_id, "revision": row.revision})
        row.archived_at, row.is_outdated, row.is_settled, row.is_open_again = now, False, False, False
        row.reopened_at = period.reopened_at
        row.attempts, row.retry_at, row.problem = 0, now, ""
        row.save()
        write_notice(period, PeriodNotice.Kind.CLOSED if is_first else PeriodNotice.Kind.CORRECTED, now)
    log.info("archived %s:%s: %s boards, %s entries", period.leaderboard.slug, period.label, boards, entries)
    return True


def archive_again(period_id: int) -> bool:
    """Have a closed period's standings made anew by the next run: its totals were changed. Repeatable.

    To be called in the transaction of the change, or after it. False if the period is not archived: then there is nothing
    that could be outdated. A run that is under way is waited for. Corrections need not call it: they reopen the period.
    """
    rows = ArchivedPeriod.objects.filter(period_id=period_id, archived_at__isnull=False)
    return rows.update(is_outdated=True) > 0


def is_over(period: Period, now: datetime) -> bool:
    """Whether the period takes no more events, late ones included, and those on their way have arrived."""
    if period.ends_at is None:
        return False
    return period.ends_at + timedelta(seconds=period.leaderboard.grace_seconds) + SETTLING <= now


def digest_totals(period_id: int) -> str:
    """What tells whether a period's totals are still the same. 1 query that reads them all."""
    ((digest,),) = fetch_all(statement("digest_totals"), {"period_id": period_id})
    return str(digest)


def _seal(period_id: int, now: datetime) -> Period | None:
    """Have no event come into the period any more, whenever its sender has looked at the clock; the period as it is then.

    Waits for the transactions that are writing the ledger: one of them may have seen the period open. Scores that come
    meanwhile wait too, so it gives up soon: None, should one of them be stuck; or if the period is not over.
    """
    period = Period.objects.select_related("leaderboard").get(pk=period_id)
    try:
        with ledger_held(period.leaderboard_id, WRITERS_WAIT_MS):
            period.refresh_from_db()
            if not is_over(period, now):
                return None
            period.sealed_at = now
            period.save(update_fields=["sealed_at"])
    except LedgerBusy as error:
        log.warning("%s", error)
        return None
    return period
