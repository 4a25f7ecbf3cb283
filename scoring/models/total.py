from django.db import models


class Total(models.Model):
    """A player's points in one period: the fold of that player's unvoided events.

    The table keeps free room in its pages (fillfactor, set in the migration) and has no index but its key, so that
    raising a total is a heap-only update.
    """

    pk = models.CompositePrimaryKey("period_id", "player_id")
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

    def __str__(self) -> str:
        return f"{self.points}"
