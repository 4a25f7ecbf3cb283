"""Snapshots: the standings of a leaderboard's open periods, with the acceptance number up to which they hold.

The cut is made while the ledger is held for an instant, so that it falls between two transactions. What is copied is what was
committed then, while scores go on. Totals are restored from it (`rebuilds.restoring`), and entries show its ranks
(`rebuilds.previous_ranks`).
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Q
from psycopg.errors import LockNotAvailable

from rebuilds.archiving import WRITERS_WAIT_MS, is_over
from rebuilds.ranking import ranking_parameters
from rebuilds.snapshot_erasure import erase_copied_details
from rebuilds.sql import statement
from scoring.database import fetch_all
from scoring.ledger_locks import LedgerBusy, ledger_held_apart, share_ledgers
from scoring.models import Correction, Leaderboard, Period, Player, SnapshotPeriod, StandingsSnapshot

log = logging.getLogger(__name__)


class SnapshotUnderWay(Exception):
    """Another worker is taking a snapshot."""

    def __init__(self) -> None:
        super().__init__("another snapshot is being taken")


def take_due_snapshots(clock: Callable[[], datetime], every: timedelta) -> int:
    """Take a snapshot of each leaderboard whose newest is older than that; how many were taken. Repeatable, also side by side.

    One that can't be taken holds up no other. Raises the database's own errors if it is away.
    """
    taken = 0
    for leaderboard in Leaderboard.objects.order_by("pk"):
        try:
            taken += is_due(leaderboard, clock(), every) and take_snapshot(leaderboard, clock, every) is not None
        except (LedgerBusy, SnapshotUnderWay) as reason:
            log.warning("no snapshot of %s for now: %s", leaderboard, reason)
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            # Whatever is wrong with this one must not stop the rest.
            log.exception("could not take a snapshot of %s", leaderboard)
    return taken


def is_due(leaderboard: Leaderboard, now: datetime, every: timedelta) -> bool:
    """Whether its newest snapshot, finished or not, is older than that. 1 query."""
    return not StandingsSnapshot.objects.filter(leaderboard=leaderboard, taken_at__gt=now - every).exists()


def take_snapshot(
    leaderboard: Leaderboard, clock: Callable[[], datetime], every: timedelta | None = None
) -> StandingsSnapshot | None:
    """Take a snapshot; None if there is one that is not older than `every`. SnapshotUnderWay, LedgerBusy.

    One transaction: row, periods and entries come together or not at all. It sees the database as of the cut, so vacuum keeps what has
    been replaced since until it ends (10 s for 300,000 players with three periods). Scores wait while the ledger is held, for
    milliseconds.
    """
    with transaction.atomic():
        _begin_alone()
        snapshot = _cut(leaderboard, clock)
        # By the transaction's own view: whoever was at it before has committed.
        if every is not None and not is_due(leaderboard, snapshot.taken_at, every):
            return None
        began_at = time.monotonic()
        periods = Period.objects.select_related("leaderboard").filter(leaderboard=leaderboard).order_by("pk")
        snapshot.save()
        for period in periods:
            if not is_over(period, snapshot.taken_at):
                _copy(snapshot, period)
        snapshot.seconds = round(time.monotonic() - began_at, 3)
        snapshot.save()
    finish_snapshot(snapshot, clock())
    log.info(
        "%s of %s: %s totals, scores waited %.1f ms", snapshot, leaderboard, snapshot.entry_count, snapshot.held_ms
    )
    return snapshot


def finish_snapshots(now: datetime) -> int:
    """Finish those whose worker died in between; how many. Repeatable."""
    unfinished = StandingsSnapshot.objects.filter(finished_at__isnull=True)
    return sum(finish_snapshot(snapshot, now) for snapshot in unfinished)


def finish_snapshot(snapshot: StandingsSnapshot, now: datetime) -> bool:
    """Take away what it still has of those who were erased while it was copied; from then on it is whole. Repeatable.

    An erasure holds the ledger: one that did not see the copy came after the cut, has ended once the ledger is shared, and is
    seen here.
    """
    with transaction.atomic():
        share_ledgers([snapshot.leaderboard_id])
        later = Correction.objects.filter(kind=Correction.Kind.ERASE, pk__gt=snapshot.last_correction).values("player")
        # Accounts that were merged first are erased too, and were still apart at the cut.
        accounts = Player.objects.filter(Q(pk__in=later) | Q(merged_into__in=later))
        erase_copied_details(list(accounts.values_list("pk", flat=True)))
        snapshot.finished_at = now
        return StandingsSnapshot.objects.filter(pk=snapshot.pk, finished_at__isnull=True).update(finished_at=now) > 0


def _begin_alone() -> None:
    """Begin a transaction that will see one moment, and have no other worker begin one. Neither statement looks yet."""
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        try:
            # Conflicts with itself, and with nothing that readers and writers of the table do.
            cursor.execute("LOCK TABLE scoring_standingssnapshot IN SHARE UPDATE EXCLUSIVE MODE NOWAIT")
        except OperationalError as error:
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
            raise SnapshotUnderWay from error


def _cut(leaderboard: Leaderboard, clock: Callable[[], datetime]) -> StandingsSnapshot:
    """The moment that the transaction sees from here on: no event is under way, and none has a number that is not committed."""
    asked_at = time.monotonic()
    with ledger_held_apart(leaderboard.pk, WRITERS_WAIT_MS):
        ((accept_no, last_correction, unfinished),) = fetch_all(statement("begin_snapshot"), {})
        taken_at = clock()
    return StandingsSnapshot(
        leaderboard=leaderboard,
        taken_at=taken_at,
        accept_no=accept_no,
        last_correction=last_correction,
        unfinished_corrections=unfinished,
        held_ms=round((time.monotonic() - asked_at) * 1_000, 3),
    )


def _copy(snapshot: StandingsSnapshot, period: Period) -> None:
    copied = SnapshotPeriod.objects.create(snapshot=snapshot, period=period)
    keys = {"snapshot_period_id": copied.pk, "period_id": period.pk}
    sql = statement("snapshot_period", scopes="scopes_of", ranked="ranked")
    ((count,),) = fetch_all(sql, {**keys, **ranking_parameters(period.leaderboard)})
    snapshot.entry_count += count
    snapshot.player_count = max(snapshot.player_count, count)
