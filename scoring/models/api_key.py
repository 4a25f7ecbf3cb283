from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from rest_framework_api_key.models import AbstractAPIKey


class ApiKey(AbstractAPIKey):
    """What a caller may do. The key itself is shown once; only its prefix and a hash are kept."""

    class Scope(models.TextChoices):
        SUBMIT = "submit", "submit: send scores"
        READ = "read", "read: boards that are not public"
        MODERATE = "moderate", "moderate: corrections, flags, erasure"
        OPS = "ops", "ops: rebuilds"

    scopes = ArrayField(models.CharField(max_length=12, choices=Scope))
    leaderboards = models.ManyToManyField(
        "scoring.Leaderboard", blank=True, related_name="api_keys", help_text="Empty: all leaderboards."
    )

    requests_per_minute = models.PositiveIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1)], help_text="Empty: as many as it likes."
    )

    class Meta(AbstractAPIKey.Meta):
        verbose_name = "API key"
        verbose_name_plural = "API keys"

    def clean(self) -> None:
        super().clean()
        if not self.scopes:
            raise ValidationError({"scopes": "at least one scope"})
