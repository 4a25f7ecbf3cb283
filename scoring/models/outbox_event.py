from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class OutboxQuerySet(models.QuerySet["OutboxEvent"]):
    def waiting(self) -> Self:
        """Everything that still has to reach the boards."""
        return self.filter(applied_at__isnull=True, set_aside_at__isnull=True)

    def set_aside(self) -> Self:
        """Poisoned events, which wait for a person."""
        return self.filter(applied_at__isnull=True, set_aside_at__isnull=False)


class OutboxEvent(models.Model):
    """Says whose totals changed: whoever applies it reads the rows as they are by then.

    Scores also leave the totals as they were at their commit, nearly always all that boards need, so that these need not be
    looked up again: see `boards.carried` for when they may be used.

    Written in the same transaction as the totals. Moved on by `scoring.outbox`: claimed with a lease, marked applied,
    or set aside after too many attempts.
    """

    class Queue(models.TextChoices):
        LIVE = "live"
        CORRECTIONS = "corrections"

    queue = models.CharField(max_length=12, choices=Queue, help_text="The Celery queue that applies it.")
    player_ids = ArrayField(models.BigIntegerField(), help_text="Primary keys of players.")
    player_count = models.PositiveIntegerField(help_text="How many: relays count without unpacking the list.")
    period_ids = ArrayField(
        models.IntegerField(),
        null=True,
        blank=True,
        help_text="The periods that changed; empty: whatever the players have.",
    )
    points = ArrayField(
        models.BigIntegerField(null=True),
        null=True,
        editable=False,
        help_text="The totals, period by period, in each player by player; null for one with an epoch or details.",
    )
    accept_nos = ArrayField(models.BigIntegerField(), null=True, editable=False, help_text="Their acceptance numbers.")
    names_changed = models.BooleanField(default=False, help_text="The players' names changed too.")
    totals_removed = models.BooleanField(
        default=False, db_default=False, help_text="Who has no total in these periods had one, and leaves the boards."
    )
    created_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    leased_until = models.DateTimeField(null=True, blank=True, help_text="Nobody else touches it before.")
    applied_at = models.DateTimeField(null=True, blank=True)
    confirmed_at = models.DateTimeField(
        null=True, blank=True, help_text="Corrections are applied a second time, some seconds later."
    )
    set_aside_at = models.DateTimeField(null=True, blank=True)
    problem = models.CharField(max_length=500, blank=True)

    objects = OutboxQuerySet.as_manager()

    class Meta:
        verbose_name = "outbox event"
        indexes = [
            models.Index(
                fields=["queue", "id"],
                name="outbox_waiting",
                condition=Q(applied_at__isnull=True, set_aside_at__isnull=True),
            ),
            models.Index(
                fields=["id"],
                name="outbox_set_aside",
                condition=Q(applied_at__isnull=True, set_aside_at__isnull=False),
            ),
            models.Index(
                fields=["id"],
                name="outbox_unconfirmed",
                condition=Q(queue="corrections", applied_at__isnull=False, confirmed_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.queue} {self.pk}"
