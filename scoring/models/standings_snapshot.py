from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models


class StandingsSnapshotQuerySet(models.QuerySet["StandingsSnapshot"]):
    def whole(self) -> Self:
        """Those that totals can be restored from, the newest first."""
        return self.filter(finished_at__isnull=False, pruning_since__isnull=True).order_by("-id")


class StandingsSnapshot(models.Model):
    """The standings of a leaderboard's open periods at one moment between two transactions of its ledger.

    It holds up to `accept_no`: of the leaderboard's events it has seen every one with a number up to that, and none above. Row,
    periods and entries come in one transaction (`rebuilds.snapshots`), so there is never half of one.
    """

    leaderboard = models.ForeignKey(
        "scoring.Leaderboard", on_delete=models.CASCADE, db_index=False, related_name="snapshots"
    )
    taken_at = models.DateTimeField()
    accept_no = models.BigIntegerField(help_text="The last acceptance number that it holds up to.")
    last_correction = models.BigIntegerField(help_text="Corrections with a larger number came later.")
    unfinished_corrections = ArrayField(
        models.BigIntegerField(), default=list, help_text="Those that had begun before, and may have gone on later."
    )
    player_count = models.PositiveIntegerField(default=0, help_text="Totals in the period that has the most.")
    entry_count = models.PositiveBigIntegerField(default=0, help_text="Totals of all periods.")
    held_ms = models.FloatField(default=0, help_text="For how long scores had to wait.")
    seconds = models.FloatField(default=0, help_text="How long the copying took.")
    finished_at = models.DateTimeField(null=True, help_text="Empty: not yet without those who were erased meanwhile.")
    pruning_since = models.DateTimeField(null=True, help_text="It is being deleted, and no longer whole.")

    objects = StandingsSnapshotQuerySet.as_manager()

    class Meta:
        ordering = ("-id",)
        indexes = [models.Index(fields=["leaderboard", "-id"], name="snapshot_leaderboard")]

    def __str__(self) -> str:
        return f"snapshot {self.pk}"


class SnapshotPeriod(models.Model):
    """A period that was open then; also if nobody had a total in it yet."""

    snapshot = models.ForeignKey(StandingsSnapshot, on_delete=models.CASCADE, db_index=False, related_name="periods")
    period = models.ForeignKey("scoring.Period", on_delete=models.CASCADE, db_index=False, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["snapshot", "period"], name="snapshot_period_unique")]

    def __str__(self) -> str:
        return f"{self.snapshot_id} {self.period_id}"


class SnapshotEntry(models.Model):
    """A total as it was, and the player's ranks; of the flagged too, who have none.

    It names the player by primary key alone, so who is erased is named no more. No foreign key constraints, as with totals.
    """

    pk = models.CompositePrimaryKey("snapshot_period_id", "player_id")
    snapshot_period = models.ForeignKey(
        SnapshotPeriod, on_delete=models.CASCADE, db_index=False, db_constraint=False, related_name="entries"
    )
    player = models.ForeignKey(
        "scoring.Player", on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    points = models.BigIntegerField()
    accept_no = models.BigIntegerField()
    occurred_at = models.DateTimeField(null=True)
    details = models.JSONField(null=True)
    scopes = ArrayField(models.CharField(max_length=97), default=list, help_text="The boards that the player was on.")
    ranks = ArrayField(models.IntegerField(), default=list, help_text="The player's rank on each of them.")

    class Meta:
        verbose_name_plural = "snapshot entries"

    def __str__(self) -> str:
        return f"{self.points}"
