from django.contrib.postgres.fields import ArrayField
from django.db import models


class Erasure(models.Model):
    """A person who asked to be forgotten. What is left when it is finished is the proof, with no personal data in it.

    Until then it remembers the former id: boards must be told whom to remove, and keep refusing what was read before.
    """

    correction = models.OneToOneField(
        "scoring.Correction", on_delete=models.PROTECT, primary_key=True, related_name="erasure"
    )
    player = models.OneToOneField("scoring.Player", on_delete=models.PROTECT, related_name="erasure")
    former_id = models.CharField(max_length=64, blank=True, db_index=True, db_collation="C")
    former_scopes = ArrayField(models.CharField(max_length=97), default=list, blank=True)
    epoch = models.IntegerField(help_text="Whoever comes back under the former id meanwhile begins above it.")
    proof = models.JSONField(help_text="What was removed where, as counts.")
    finished_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"erasure {self.pk}"
