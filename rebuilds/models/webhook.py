import secrets

from django.core.exceptions import ValidationError
from django.db import models

from rebuilds.http_post import check_url


def validate_url(url: str) -> None:
    try:
        check_url(url)
    except ValueError as error:
        raise ValidationError(str(error)) from None


def new_secret() -> str:
    return secrets.token_urlsafe(32)


class Webhook(models.Model):
    """An address that is told of final standings."""

    url = models.CharField(max_length=500, validators=[validate_url], help_text="http:// or https://")
    secret = models.CharField(
        max_length=200, default=new_secret, help_text="Signs what is sent; the receiver needs it to check."
    )
    leaderboards = models.ManyToManyField(
        "scoring.Leaderboard", blank=True, related_name="+", help_text="Empty: all leaderboards."
    )
    is_active = models.BooleanField(
        default=True, help_text="Inactive: new notices are not for it, and what waits is not sent."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("url",)

    def __str__(self) -> str:
        return self.url
