"""Reading totals for the boards."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from django.db.models import Q

from scoring.database import array_of_numbers, fetch_all
from scoring.models import Period
from scoring.periods import PeriodKind, Window
from scoring.sql import statement


class TotalRow(NamedTuple):
    """A total with its player, as of one moment. `epoch` is the player's and the total's, added up."""

    player_id: str
    segments: str
    former_scopes: list[str]
    review_state: int
    period_id: int
    points: int
    accept_no: int
    epoch: int


@dataclass(frozen=True, slots=True)
class PeriodInfo:
    """What never changes about a period's row."""

    leaderboard_slug: str
    window: Window
    first_accept_no: int


def load_rows(players: Iterable[int], period_ids: Iterable[int]) -> list[TotalRow]:
    """The totals of these players in these periods, in one snapshot. 1 query, 2 index look-ups a total."""
    parameters = {"players": array_of_numbers(players), "period_ids": array_of_numbers(period_ids)}
    return [TotalRow._make(row) for row in fetch_all(statement("load_rows"), parameters)]


def load_names(players: Iterable[int]) -> list[tuple[str, int, str]]:
    """player_id, version and name of these players. 1 query."""
    parameters = {"players": array_of_numbers(players)}
    return [(player_id, version, name) for player_id, version, name in fetch_all(statement("load_names"), parameters)]


def load_recent_period_ids(now: datetime, longest_kept: timedelta) -> list[int]:
    """Every period whose boards may still exist: without end, seasons, and those that ended a short while ago."""
    recent = Q(ends_at__isnull=True) | Q(kind=PeriodKind.SEASON) | Q(ends_at__gt=now - longest_kept)
    return list(Period.objects.filter(recent).values_list("id", flat=True))


@lru_cache(maxsize=10_000)
def load_period(period_id: int) -> PeriodInfo:
    """A period by primary key. No query once this process has seen it. Period.DoesNotExist."""
    period = Period.objects.select_related("leaderboard").get(id=period_id)
    window = Window(PeriodKind(period.kind), period.label, period.starts_at, period.ends_at)
    return PeriodInfo(period.leaderboard.slug, window, period.first_accept_no)
