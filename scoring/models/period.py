from django.db import models
from django.db.models import F, Q

from scoring.periods import PeriodKind


class Period(models.Model):
    """One window of one leaderboard. Calendar periods get their row with their first event, seasons when opened."""

    leaderboard = models.ForeignKey("scoring.Leaderboard", on_delete=models.CASCADE, related_name="periods")
    kind = models.CharField(max_length=8, choices=[(k, k) for k in PeriodKind])
    label = models.CharField(max_length=40, help_text="The middle part of a board id: day:2026-10-19, s42, all.")
    starts_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True, help_text="Half-open: the first instant after the period.")
    first_accept_no = models.BigIntegerField(
        help_text="Value of the acceptance sequence when the period was opened; packed scores count from here."
    )
    reopened_at = models.DateTimeField(
        null=True, blank=True, help_text="When totals were last corrected after the period had closed."
    )
    sealed_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When it was last found to be over, its grace included: no event comes in after that, whoever's clock is late.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("leaderboard", "-starts_at", "label")
        constraints = [
            models.UniqueConstraint(fields=["leaderboard", "label"], name="period_label_unique"),
            models.CheckConstraint(
                condition=Q(ends_at__isnull=True) | Q(starts_at__lt=F("ends_at")), name="period_starts_before_it_ends"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.leaderboard_id}:{self.label}"
