from django.db import models


class Total(models.Model):
    """A player's points in one period: the fold of that player's unvoided events.

    By player first, since one score raises all of a player's: they share a page of the key. How the rows are stored, so that
    raising one writes to a single page, stands in the migrations.
    """

    pk = models.CompositePrimaryKey("player_id", "period_id")
    period = models.ForeignKey(
        "scoring.Period", on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    player = models.ForeignKey(
        "scoring.Player", on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    points = models.BigIntegerField()
    accept_no = models.BigIntegerField(help_text="Of the event that last moved the points; ties fall by it.")
    occurred_at = models.DateTimeField(
        null=True,
        help_text="Operator latest: of the newest event. Operator add: of the earliest that moved the points; null if none did.",
    )
    details = models.JSONField(null=True, help_text="Of the event that the points come from.")
    epoch = models.IntegerField(help_text="How many times the total may have gone down.")

    class Meta:
        # No index on what changes: a new version of a row must be found by the old one's entries.
        indexes = (models.Index(fields=["period", "player"], name="totals_by_period"),)

    def __str__(self) -> str:
        return f"{self.points}"
