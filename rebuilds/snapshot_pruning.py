"""Pruning of snapshots: what newer ones have replaced goes, in small steps."""

import time
from datetime import datetime

from rebuilds.leisure import Leisure
from rebuilds.sql import statement
from scoring.database import fetch_all
from scoring.models import Leaderboard, SnapshotPeriod, StandingsSnapshot

ENTRIES_A_STEP = 5_000
"""A transaction of tens of milliseconds: nobody waits for its rows, but vacuum and replicas do."""


def prune_snapshots(now: datetime, kept: int, seconds: float) -> int:
    """Delete all but the newest `kept` whole snapshots of each leaderboard, for about `seconds`; how many entries went.

    At least one whole one stays. Repeatable, also side by side; what is left when the time is up is the next call's. A
    snapshot that has been begun with counts for nothing any more, so nobody restores from half of one.
    """
    for leaderboard in Leaderboard.objects.all():
        newest = StandingsSnapshot.objects.whole().filter(leaderboard=leaderboard)[: max(kept, 1)]
        if oldest_kept := min((snapshot.pk for snapshot in newest), default=None):
            older = StandingsSnapshot.objects.filter(leaderboard=leaderboard, pk__lt=oldest_kept)
            older.filter(pruning_since__isnull=True).update(pruning_since=now)
    deadline = time.monotonic() + seconds
    leisure = Leisure()
    pruned = 0
    going = list(StandingsSnapshot.objects.filter(pruning_since__isnull=False))
    for period in SnapshotPeriod.objects.filter(snapshot__in=going).order_by("pk"):
        while deleted := _prune(period):
            pruned += deleted
            if time.monotonic() > deadline:
                return pruned
            leisure.rest()
    # Those, and none that another worker has marked meanwhile: they have no entries any more, which would go in one piece.
    StandingsSnapshot.objects.filter(pk__in=[snapshot.pk for snapshot in going]).delete()
    return pruned


def _prune(period: SnapshotPeriod) -> int:
    ((deleted,),) = fetch_all(statement("prune_snapshot"), {"snapshot_period_id": period.pk, "entries": ENTRIES_A_STEP})
    return int(deleted)
