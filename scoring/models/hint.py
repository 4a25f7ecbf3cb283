from django.db import models
from django.db.models import F


class Hint(models.Model):
    """What a player's latest events in one leaderboard look like beside those of others. Sorts the review queue, decides nothing.

    Made in the background by `scoring.hints`, a minute or more behind the scores. Better play is always higher, whatever
    the leaderboard's order; null where there is too little to tell by. Holds nothing personal.
    """

    pk = models.CompositePrimaryKey("player_id", "leaderboard_id")
    player = models.ForeignKey(
        "scoring.Player", on_delete=models.CASCADE, db_index=False, db_constraint=False, related_name="hints"
    )
    leaderboard = models.ForeignKey(
        "scoring.Leaderboard", on_delete=models.CASCADE, db_index=False, db_constraint=False, related_name="+"
    )
    lead_in_match = models.FloatField(null=True, help_text="Most points above the average of others in one match.")
    share_of_max = models.FloatField(null=True, help_text="Of all points that so many events can bring, 0 to 1.")
    points_per_minute = models.FloatField(null=True, help_text="Where points add up.")
    event_count = models.PositiveSmallIntegerField(help_text="How many events this was made from.")
    computed_at = models.DateTimeField()

    class Meta:
        # The last column is the one that makes the queue's order complete: a page is read from the index as it is.
        indexes = [
            models.Index(
                F("leaderboard_id"), F(name).desc(nulls_last=True), F("player_id").desc(), name=f"hint_by_{name}"
            )
            for name in ("lead_in_match", "share_of_max", "points_per_minute")
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.leaderboard_id}"


class HintProgress(models.Model):
    """How far the outbox was read for hints. One row."""

    event_id = models.BigIntegerField(default=0, help_text="All outbox events up to this one are seen to.")

    def __str__(self) -> str:
        return f"{self.event_id}"
