import zoneinfo
from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, RegexValidator
from django.db import models

from scoring.models.score_event import ScoreEvent
from scoring.packing import MAX_DECIMAL, Packing, choose_packing
from scoring.periods import PeriodKind
from scoring.points import MAX_SCALE, to_units
from scoring.ranking import OPERATOR_WORDS, ORDER_WORDS, TIES_WORDS, Operator, Order, Ties

SEGMENT_NAME = r"[a-z][a-z0-9_]{0,31}"


class PointsField(models.DecimalField):  # type: ignore[type-arg]  # not generic when Django runs
    """Points as people write them, 100000 and not 100000.000000; `scoring.rules` turns them into units."""

    def from_db_value(self, value: Decimal | None, *_: object) -> Decimal | None:
        if value is None:
            return None
        whole = value.to_integral_value()
        return whole if value == whole else value.normalize()


def validate_timezone(name: str) -> None:
    """Accept IANA names only."""
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValidationError(f"{name!r} is not an IANA time zone, such as Asia/Kolkata") from error


def choices(words: Iterable[tuple[StrEnum, str]]) -> list[tuple[str, str]]:
    return [(str(value), f"{value}: {sentence}") for value, sentence in words]


def points_field(default: int, help_text: str) -> PointsField:
    return PointsField(max_digits=22, decimal_places=MAX_SCALE, default=default, help_text=help_text)


def default_periods() -> list[str]:
    return ["day", "week", "season", "all"]


FIXED_WITH_EVENTS = (
    "slug",
    "operator",
    "order",
    "ties",
    "scale",
    "timezone",
    "day_starts_at_hour",
    "period_kinds",
    "scopes",
)
"""Rules that stored totals and boards were made by. Names, limits, grace, and who sees what, may change."""

LARGEST_UNITS = 2**53


class Leaderboard(models.Model):
    """A named ranking with its rules. Read on every request through `scoring.rules`, which caches it for a second."""

    slug = models.CharField(
        max_length=32, unique=True, validators=[RegexValidator(r"\A[a-z0-9][a-z0-9_-]{0,31}\Z", "a-z, 0-9, - and _")]
    )
    name = models.CharField(max_length=64, blank=True)
    operator = models.CharField(max_length=12, choices=choices(OPERATOR_WORDS.items()), default=Operator.ADD)
    order = models.CharField(max_length=8, choices=choices(ORDER_WORDS.items()), default=Order.HIGH)
    ties = models.CharField(max_length=16, choices=choices(TIES_WORDS.items()), default=Ties.FIRST)
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
    show_previous_rank = models.BooleanField(
        default=False,
        help_text="Entries carry the rank of the newest snapshot. About 70 bytes of Redis a player and board.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("slug",)

    def __str__(self) -> str:
        return self.slug

    def clean(self) -> None:
        """Check the rules against each other, and against the events that were ranked by them."""
        super().clean()
        if not self.period_kinds:
            raise ValidationError({"period_kinds": "at least one kind of period"})
        for name in ("period_kinds", "scopes"):
            # Else each score would count twice in that period.
            if len(set(getattr(self, name))) < len(getattr(self, name)):
                raise ValidationError({name: "each of them once"})
        packing = self.packing()
        if self._state.adding or not self.has_events():
            return
        before = Leaderboard.objects.get(pk=self.pk)
        changed = [name for name in FIXED_WITH_EVENTS if getattr(before, name) != getattr(self, name)]
        if before.packing() != packing:
            changed += ["min_total", "max_total"]
        if changed:
            sentence = "can't change once there are events: the totals and boards were made by this rule"
            raise ValidationError(dict.fromkeys(changed, sentence))

    def packing(self) -> Packing:
        """How totals are packed. ValidationError if the points don't fit the scale, or the range can't be packed."""
        units = {}
        for name in ("min_points", "max_points", "min_total", "max_total"):
            try:
                units[name] = to_units(getattr(self, name), self.scale)
            except ValueError as error:
                raise ValidationError({name: str(error)}) from None
            if abs(units[name]) > LARGEST_UNITS:
                raise ValidationError({name: f"beyond {LARGEST_UNITS:,} of the smallest unit"})
        if units["min_points"] > units["max_points"]:
            raise ValidationError({"min_points": "min_points is above max_points"})
        try:
            return choose_packing(Order(self.order), Ties(self.ties), units["min_total"], units["max_total"])
        except ValueError as error:
            raise ValidationError({"max_total": str(error)}) from None

    def has_events(self) -> bool:
        """Whether anything was ever scored here. 1 look-up in the ledger's key."""
        return ScoreEvent.objects.filter(leaderboard_id=self.pk).exists()
