from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import Q


class RecoveryQuerySet(models.QuerySet["Recovery"]):
    def unfinished(self) -> Self:
        return self.filter(finished_at__isnull=True)

    def ready(self, now: datetime) -> Self:
        """To go on with, and nobody works on them at the moment."""
        begun = self.unfinished().exclude(state=Recovery.State.NOTED)
        return begun.filter(Q(claimed_until__isnull=True) | Q(claimed_until__lte=now))


class Recovery(models.Model):
    """One loss of Redis and what was done about it, in steps by whoever claims it (`rebuilds.recovering`).

    Everything that a step needs to go on where the last one was stands in the row.
    """

    class Loss(models.TextChoices):
        TAIL = "tail", "the last writes, or none: restarted, or failed over"
        OLD = "old", "restored from an old file"
        EMPTY = "empty", "everything"

    class State(models.TextChoices):
        NOTED = "noted", "noted; Redis goes on from here"
        CLEARING = "clearing", "dropping what stood beside the boards"
        APPLYING = "applying", "applying outbox events again"
        NAMING = "naming", "filling in the names"
        REBUILDING = "rebuilding", "waiting for the boards' rebuilds"
        CONFIRMING = "confirming", "the boards are right; applying what may have been late once more"
        DONE = "done"
        SUPERSEDED = "superseded", "Redis has lost data once more"

    loss = models.CharField(max_length=8, choices=Loss)
    state = models.CharField(max_length=12, choices=State, default=State.NOTED)
    noted_at = models.DateTimeField()
    sound_at = models.DateTimeField(help_text="What was written to Redis before this is not lost, or is rebuilt.")
    is_rebuilding = models.BooleanField(help_text="All boards are rebuilt; else the outbox knows all that is lost.")
    request = models.UUIDField(null=True, blank=True, help_text="Of the rebuilds.")
    first_event = models.BigIntegerField(help_text="The outbox events whose writes may be lost, or were late.")
    last_event = models.BigIntegerField(default=0)
    resumed_at = models.DateTimeField(null=True, blank=True, help_text="When Redis went on.")
    next_event = models.BigIntegerField(default=0, help_text="Where the application is.")
    applied_count = models.BigIntegerField(default=0, help_text="Events applied again.")
    names_token = models.CharField(max_length=32, blank=True, help_text="Of the copy of the names that is ours.")
    last_named = models.BigIntegerField(default=0, help_text="The last player whose name was filled in.")
    turn = models.IntegerField(default=0, help_text="Grows with each step; what was begun in an earlier turn is void.")
    claimed_until = models.DateTimeField(null=True, blank=True, help_text="Whoever has the turn keeps it until then.")
    recovered_at = models.DateTimeField(null=True, blank=True, help_text="When the boards were right again.")
    finished_at = models.DateTimeField(null=True, blank=True)
    problem = models.CharField(max_length=500, blank=True)

    objects = RecoveryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "recoveries"
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"recovery {self.pk}: {self.loss}"
