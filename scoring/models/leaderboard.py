import zoneinfo
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, RegexValidator
from django.db import models

from scoring.packing import MAX_DECIMAL
from scoring.periods import PeriodKind
from scoring.points import MAX_SCALE

SEGMENT_NAME = r"[a-z][a-z0-9_]{0,31}"


def validate_timezone(name: str) -> None:
    """Accept IANA names only."""
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValidationError(f"{name!r} is not an IANA time zone, such as Asia/Kolkata") from error


def points_field(default: int, help_text: str) -> Any:
    """Points as people write them; `scoring.rules` turns them into units."""
    return models.DecimalField(max_digits=22, decimal_places=MAX_SCALE, default=default, help_text=help_text)


def default_periods() -> list[str]:
    return ["day", "week", "season", "all"]


class Operator(models.TextChoices):
    """How a player's events in one period become a total."""

    ADD = "add", "add: the sum of the events"
    BEST = "best", "best: the best event"
    LATEST = "latest", "latest: the newest event"


class Order(models.TextChoices):
    HIGH = "high", "high: more points rank higher"
    LOW = "low", "low: fewer points rank higher"


class Ties(models.TextChoices):
    FIRST = "first", "first: on equal points, who got there first"
    LATEST_FIRST = "latest_first", "latest_first: on equal points, who got there last"
    SHARED = "shared", "shared: equal points share a rank: 1, 2, 2, 4"


class Leaderboard(models.Model):
    """A named ranking with its rules. Read on every request through `scoring.rules`, which caches it for a second."""

    slug = models.CharField(
        max_length=32, unique=True, validators=[RegexValidator(r"\A[a-z0-9][a-z0-9_-]{0,31}\Z", "a-z, 0-9, - and _")]
    )
    name = models.CharField(max_length=64, blank=True)
    operator = models.CharField(max_length=12, choices=Operator, default=Operator.ADD)
    order = models.CharField(max_length=8, choices=Order, default=Order.HIGH)
    ties = models.CharField(max_length=16, choices=Ties, default=Ties.FIRST)
    period_kinds = ArrayField(
        models.CharField(max_length=8, choices=[(k, k) for k in PeriodKind]), default=default_periods
    )
    scopes = ArrayField(
        models.CharField(max_length=32, validators=[RegexValidator(rf"\A{SEGMENT_NAME}\Z")]),
        default=list,
        blank=True,
        help_text="Player segments that get boards of their own, beside the global one: city, country, clan.",
    )
    timezone = models.CharField(max_length=64, default="UTC", validators=[validate_timezone])
    day_starts_at_hour = models.PositiveSmallIntegerField(
        default=0, validators=[MaxValueValidator(23)], help_text="Local hour, for nights that end at 2 am."
    )
    scale = models.PositiveSmallIntegerField(
        default=0, validators=[MaxValueValidator(MAX_SCALE)], help_text="Decimals of points, 0 to 6."
    )
    min_points = points_field(0, "The least points that one event may bring.")
    max_points = points_field(100_000, "The most points that one event may bring.")
    min_total = points_field(0, "The least points that a total may have; decides how scores are packed.")
    max_total = points_field(MAX_DECIMAL, "The most points that a total may have; decides how scores are packed.")
    grace_seconds = models.PositiveIntegerField(
        default=600, help_text="How long after its end a period still takes events that happened in it."
    )
    is_public = models.BooleanField(default=True, help_text="Public boards can be read without a key.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("slug",)

    def __str__(self) -> str:
        return self.slug

    def clean(self) -> None:
        if self.min_points > self.max_points:
            raise ValidationError({"min_points": "min_points is above max_points"})
        if not self.period_kinds:
            raise ValidationError({"period_kinds": "at least one kind of period"})
