from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class Correction(models.Model):
    """Who took points or a place away, or gave them back, when and why. Kept for good.

    What it did to totals is told by its CorrectedTotals. Names no person but by primary key, so that erasing a player
    leaves it as it is; but for the reason, which is emptied of the player's id and name.
    """

    class Kind(models.TextChoices):
        ADJUST = "adjust", "adjust: points added or taken"
        VOID = "void", "void: a match no longer counts"
        FLAG = "flag", "flag: off all boards"
        UNFLAG = "unflag", "unflag: back on all boards"
        MERGE = "merge", "merge: two accounts become one"
        ERASE = "erase", "erase: the person is forgotten"
        RECOUNT = "recount", "recount: totals brought in line with the ledger"

    kind = models.CharField(max_length=8, choices=Kind)
    leaderboard = models.ForeignKey(
        "scoring.Leaderboard", null=True, on_delete=models.PROTECT, related_name="+", help_text="Empty: all of them."
    )
    player = models.ForeignKey(
        "scoring.Player", null=True, on_delete=models.PROTECT, related_name="corrections", help_text="Empty: several."
    )
    match_id = models.CharField(max_length=64, blank=True, db_collation="C")
    points = models.BigIntegerField(null=True, help_text="In the leaderboard's smallest unit; of an adjustment.")
    into = models.ForeignKey(
        "scoring.Player",
        null=True,
        on_delete=models.PROTECT,
        related_name="merges",
        help_text="The account that a merged one became part of.",
    )
    reason = models.CharField(max_length=500)
    made_by = models.CharField(max_length=200)
    made_at = models.DateTimeField()
    idempotency_key = models.CharField(
        max_length=64, null=True, unique=True, help_text="Its digest: a key may name a person."
    )
    request = models.CharField(max_length=64, help_text="Digest of what was asked for: a repeat must ask for the same.")
    reopen = models.BooleanField(default=False, help_text="Whether closed periods may change.")
    last_player = models.BigIntegerField(default=0, help_text="How far a large one has come.")
    skipped = ArrayField(models.BigIntegerField(), default=list, help_text="Players who could not be corrected.")
    problem = models.CharField(max_length=500, blank=True, help_text="Who was skipped, and why.")
    player_count = models.PositiveIntegerField(default=0, help_text="Whose totals changed so far.")
    finished_at = models.DateTimeField(null=True, help_text="Empty: a large one, still under way.")

    class Meta:
        ordering = ("-id",)
        indexes = [
            models.Index(fields=["id"], name="correction_unfinished", condition=Q(finished_at__isnull=True)),
            models.Index(fields=["leaderboard", "match_id"], name="correction_match", condition=~Q(match_id="")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class CorrectedTotal(models.Model):
    """What a correction did to one total. Points in units; null where the player had, or has, no total."""

    pk = models.CompositePrimaryKey("correction_id", "player_id", "period_id")
    correction = models.ForeignKey(
        Correction, on_delete=models.PROTECT, db_index=False, related_name="corrected_totals"
    )
    player = models.ForeignKey("scoring.Player", on_delete=models.PROTECT, db_constraint=False, related_name="+")
    period = models.ForeignKey(
        "scoring.Period", on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    points_before = models.BigIntegerField(null=True)
    accept_no_before = models.BigIntegerField(null=True)
    points_after = models.BigIntegerField(null=True)
    accept_no_after = models.BigIntegerField(null=True)

    def __str__(self) -> str:
        return f"{self.points_before} -> {self.points_after}"
