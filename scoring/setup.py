"""Setting things up: leaderboards, seasons, API keys. Called by commands, admin and demo alike."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from scoring.grants import forget_grants
from scoring.models import ApiKey, Leaderboard, Period
from scoring.period_rows import open_period
from scoring.periods import PeriodKind, Window, is_season_label
from scoring.rules import forget_rules


def create_leaderboard(slug: str, **definition: Any) -> Leaderboard:
    """A new leaderboard; `definition` names fields of the model. Raises Django's ValidationError, by field."""
    leaderboard = Leaderboard(slug=slug, **definition)
    leaderboard.full_clean()
    leaderboard.save()
    forget_rules()
    return leaderboard


def open_season(slug: str, label: str, starts_at: datetime, ends_at: datetime | None = None) -> Period:
    """Open a season, `[starts_at, ends_at)`. ValidationError if it can't be one or overlaps another.

    Leaderboard.DoesNotExist if there is no such leaderboard. Other processes know it within RULES_CACHE_SECONDS.
    """
    if not is_season_label(label):
        raise ValidationError(
            {"label": f"{label!r} can't be a season's label: a-z, 0-9, - and _, and none of the period names"}
        )
    if ends_at is not None and ends_at <= starts_at:
        raise ValidationError({"ends_at": "a season ends after it starts"})
    with transaction.atomic():
        # The lock makes two operators take turns, so that the second one sees the first one's season.
        leaderboard = Leaderboard.objects.select_for_update().get(slug=slug)
        if PeriodKind.SEASON not in leaderboard.period_kinds:
            raise ValidationError({"leaderboard": f"{slug} has no seasons"})
        for other in leaderboard.periods.filter(kind=PeriodKind.SEASON):
            if other.label == label:
                raise ValidationError({"label": f"{slug} has a season {label} already"})
            ends_before = other.ends_at is not None and other.ends_at <= starts_at
            starts_after = ends_at is not None and other.starts_at is not None and ends_at <= other.starts_at
            if not (ends_before or starts_after):
                raise ValidationError({"starts_at": f"overlaps with season {other.label}"})
        season = open_period(leaderboard.pk, Window(PeriodKind.SEASON, label, starts_at, ends_at))
    forget_rules()
    return season


def close_season(slug: str, label: str, ends_at: datetime) -> Period:
    """Let a season end at `ends_at`, which may move an end that is still to come. ValidationError if it is over or earlier.

    Leaderboard.DoesNotExist and Period.DoesNotExist. Late events count until the leaderboard's grace is over.
    """
    with transaction.atomic():
        leaderboard = Leaderboard.objects.select_for_update().get(slug=slug)
        season = leaderboard.periods.get(kind=PeriodKind.SEASON, label=label)
        if season.ends_at is not None and season.ends_at <= ends_at:
            raise ValidationError({"ends_at": f"{slug}:{label} ends at {season.ends_at.isoformat()}, before that"})
        if season.starts_at is not None and ends_at <= season.starts_at:
            raise ValidationError({"ends_at": "a season ends after it starts"})
        season.ends_at = ends_at
        season.save(update_fields=["ends_at"])
    forget_rules()
    return season


def create_api_key(name: str, scopes: Iterable[str], leaderboards: Iterable[str] = ()) -> str:
    """A new API key, returned this once. ValidationError for unknown scopes or leaderboards."""
    slugs = list(leaderboards)
    allowed = list(Leaderboard.objects.filter(slug__in=slugs))
    unknown = set(slugs) - {leaderboard.slug for leaderboard in allowed}
    if unknown:
        raise ValidationError({"leaderboards": f"no such leaderboard: {', '.join(sorted(unknown))}"})
    api_key = ApiKey(name=name, scopes=list(scopes))
    key: str = ApiKey.objects.assign_key(api_key)
    api_key.full_clean()
    with transaction.atomic():
        api_key.save()
        api_key.leaderboards.set(allowed)
    forget_grants()
    return key


def describe_problems(error: ValidationError) -> str:
    """All messages of a ValidationError in one line, each with its field."""
    if not hasattr(error, "error_dict"):
        return "; ".join(error.messages)
    return "; ".join(f"{field}: {' '.join(messages)}" for field, messages in error.message_dict.items())
