from uuid import uuid4

from django.db import models
from django.db.models import Q


class PeriodNotice(models.Model):
    """Says that final standings exist: `period.closed` once a period, `period.corrected` each time they were made anew.

    Written in the transaction that writes the archive. It holds no standings: whoever is told gets those of the archive, so
    that a person who was erased in between is not told of.
    """

    class Kind(models.TextChoices):
        CLOSED = "period.closed"
        CORRECTED = "period.corrected"

    notice_id = models.UUIDField(unique=True, default=uuid4, help_text="Tells a receiver what it has had before.")
    period = models.ForeignKey("scoring.Period", on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=20, choices=Kind)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(
                fields=["period"], condition=Q(kind="period.closed"), name="period_closed_exactly_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.period}"
