from typing import Self

from django.db import models
from django.db.models import Q


class WebhookDeliveryQuerySet(models.QuerySet["WebhookDelivery"]):
    def waiting(self) -> Self:
        """Not received yet, and still tried."""
        return self.filter(delivered_at__isnull=True, set_aside_at__isnull=True)

    def set_aside(self) -> Self:
        """Had all their attempts, and wait for a person."""
        return self.filter(delivered_at__isnull=True, set_aside_at__isnull=False)


class WebhookDelivery(models.Model):
    """One notice for one webhook. Written with the notice; leaves the waiting ones when the receiver has answered 2xx."""

    notice = models.ForeignKey("rebuilds.PeriodNotice", on_delete=models.CASCADE, related_name="deliveries")
    webhook = models.ForeignKey("rebuilds.Webhook", on_delete=models.CASCADE, related_name="deliveries")
    attempts = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField(help_text="Nobody tries before.")
    delivered_at = models.DateTimeField(null=True, blank=True)
    set_aside_at = models.DateTimeField(null=True, blank=True)
    problem = models.CharField(max_length=500, blank=True)

    objects = WebhookDeliveryQuerySet.as_manager()

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "webhook deliveries"
        constraints = [
            models.UniqueConstraint(fields=["notice", "webhook"], name="webhook_delivery_unique"),
        ]
        indexes = [
            models.Index(
                fields=["retry_at"],
                name="webhook_delivery_waiting",
                condition=Q(delivered_at__isnull=True, set_aside_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.notice} to {self.webhook}"
