from django.contrib.postgres.fields import ArrayField
from django.db import models


class Erasure(models.Model):
    """The proof that a person was forgotten: what was removed where, as counts, without personal data."""

    correction = models.OneToOneField(
        "scoring.Correction", on_delete=models.PROTECT, primary_key=True, related_name="erasure"
    )
    proof = models.JSONField(default=dict)
    finished_at = models.DateTimeField(null=True, help_text="When the last trace was gone.")

    def __str__(self) -> str:
        return f"erasure {self.pk}"


class FormerId(models.Model):
    """What an erased player was called, for the minute in which boards must still be told; then the row is deleted."""

    player = models.OneToOneField("scoring.Player", on_delete=models.PROTECT, primary_key=True, related_name="+")
    erasure = models.ForeignKey(Erasure, on_delete=models.PROTECT, related_name="former_ids")
    former_id = models.CharField(max_length=64, db_index=True, db_collation="C")
    scopes = ArrayField(models.CharField(max_length=97), help_text="All that the player ever was in.")
    next_epoch = models.IntegerField(
        help_text="With which a new player of this id begins, above all that boards have seen."
    )

    def __str__(self) -> str:
        return f"former id of {self.player_id}"
