from django.db import models


class ExpiryFind(models.Model):
    """What the expiry audit has found and mended: how often ever, and where last. A row for each word of audit_expiry.lua."""

    found = models.CharField(max_length=40, primary_key=True)
    count = models.PositiveBigIntegerField(default=0)
    last_board = models.CharField(max_length=160)
    last_at = models.DateTimeField()

    class Meta:
        ordering = ("-last_at",)

    def __str__(self) -> str:
        return self.found
