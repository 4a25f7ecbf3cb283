"""Restore: totals made from a snapshot and the events after it, where a recount would read the whole ledger.

It gives what a recount gives, if the snapshot was taken of totals that were right. What corrections have touched since is
folded from the whole ledger.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction
from django.db.models import QuerySet

from rebuilds.recounting import PLAYERS_AT_ONCE, Fixer, Portion, load_periods, load_portion
from scoring.fold_sources import FoldSource, load_snapshot_source
from scoring.models import Correction, Period, StandingsSnapshot
from scoring.moderation.decisions import Decision
from scoring.rules import Rules

COMPARED_AT_ONCE = 100_000
"""Players of one statement, which goes once through all events after the snapshot."""


class NoSnapshot(Exception):
    """There is nothing to restore from."""


@dataclass(frozen=True)
class RestorePoint:
    """A snapshot, and the periods whose totals can be restored from it."""

    rules: Rules
    snapshot: StandingsSnapshot
    periods: list[Period]

    def compare(self, after: int = 0) -> Iterator[Portion]:
        """Compare all players' totals with what they should be, in the order of primary keys. Nothing is written.

        A portion is of one moment; COMPARED_AT_ONCE players each, some seconds. NoSnapshot if it has gone meanwhile.
        """
        while portion := self._portion(after):
            after = portion.last
            yield portion

    def fixer(self, decision: Decision, clock: Callable[[], datetime]) -> "Restorer":
        return Restorer(Fixer(self.rules, self.periods, decision, clock, self._source))

    def _portion(self, after: int) -> Portion | None:
        with transaction.atomic():
            with connection.cursor() as cursor:
                # Who was corrected, and what is compared, must be of one moment.
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            self._require_whole(StandingsSnapshot.objects.whole())
            source = load_snapshot_source(self.snapshot, for_many=True)
            return load_portion(self.rules, self.periods, after, source, COMPARED_AT_ONCE)

    def _source(self, own: Correction) -> FoldSource:
        # Locked, so that nobody begins to prune it.
        self._require_whole(StandingsSnapshot.objects.whole().select_for_update(no_key=True))
        return load_snapshot_source(self.snapshot, but=own.pk)

    def _require_whole(self, snapshots: QuerySet[StandingsSnapshot]) -> None:
        if not snapshots.filter(pk=self.snapshot.pk):
            raise NoSnapshot(f"{self.snapshot} is being pruned")


class Restorer:
    """Fixes what a portion has found, some thousand players at a time, each time while the ledger is held."""

    def __init__(self, fixer: Fixer) -> None:
        self._fixer = fixer

    def fix(self, portion: Portion) -> int:
        """How many totals changed. PointsOutOfRange, NoSnapshot: then what came before is fixed."""
        miscounts = portion.miscounts
        firsts = range(0, len(miscounts), PLAYERS_AT_ONCE)
        return sum(self._fixer.fix(miscounts[first : first + PLAYERS_AT_ONCE]) for first in firsts)


def find_restore_point(rules: Rules, labels: Sequence[str], snapshot_id: int | None = None) -> RestorePoint:
    """The newest snapshot of the leaderboard, or the one asked for; with the periods of these labels, all that it covers
    without any.

    It covers the periods that were open then, and those that began later. NoSnapshot; ValueError for a period that there is not,
    or that it does not cover.
    """
    snapshots = StandingsSnapshot.objects.whole().filter(leaderboard_id=rules.leaderboard_id)
    snapshot = snapshots.first() if snapshot_id is None else snapshots.filter(pk=snapshot_id).first()
    if snapshot is None:
        which = "no snapshot" if snapshot_id is None else f"no snapshot {snapshot_id}"
        raise NoSnapshot(f"there is {which} of {rules.slug}")
    held = set(snapshot.periods.values_list("period_id", flat=True))
    periods = load_periods(rules, labels)
    covered = [p for p in periods if p.pk in held or p.first_accept_no >= snapshot.accept_no]
    if labels and len(covered) < len(periods):
        label = next(period.label for period in periods if period not in covered)
        raise ValueError(f"{label} was closed before {snapshot}: recount it")
    return RestorePoint(rules, snapshot, covered)
