"""The rules of all leaderboards as plain values, and the periods that an instant falls into.

Loaded in two queries for all leaderboards at once, kept for RULES_CACHE_SECONDS per process: reads and intake never
ask the database for definitions, and a change in the admin is in force within that time.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from zoneinfo import ZoneInfo

from django.conf import settings

from scoring.errors import LeaderboardNotFound
from scoring.models import Leaderboard, Period
from scoring.packing import Packing, choose_packing
from scoring.periods import (
    CALENDAR_KINDS,
    Calendar,
    CustomWindow,
    PeriodKind,
    Window,
    custom_window,
    window_at,
    window_of,
)
from scoring.points import to_units
from scoring.ranking import Operator, Order, Ties
from scoring.snapshot import Snapshot


@dataclass(frozen=True)
class Rules:
    """One leaderboard's definition, as of the last refresh. `seasons` in order of their start.

    All points are in units: the leaderboard's smallest, 10^-scale points.
    """

    leaderboard_id: int
    slug: str
    name: str
    operator: Operator
    order: Order
    ties: Ties
    period_kinds: tuple[PeriodKind, ...]
    scopes: tuple[str, ...]
    calendar: Calendar
    scale: int
    min_points: int
    max_points: int
    min_total: int
    max_total: int
    packing: Packing
    grace_seconds: int
    is_public: bool
    show_previous_rank: bool
    seasons: tuple[Window, ...]

    def windows_at(self, instant: datetime) -> list[Window]:
        """The periods that an event at `instant` counts in, in the order of the leaderboard's kinds.

        No season is no error: between two seasons, events count in the other periods.
        """
        windows = (self.window_at(kind, instant) for kind in self.period_kinds)
        return [window for window in windows if window is not None]

    def window_at(self, kind: PeriodKind, instant: datetime) -> Window | None:
        if kind is PeriodKind.SEASON:
            return next((season for season in self.seasons if season.holds(instant)), None)
        return window_at(kind, self.calendar, instant)

    def window_of(self, label: str) -> Window:
        """The period under this label. ValueError if this leaderboard can't have it."""
        season = self._seasons_by_label.get(label)
        if season is not None:
            return season
        window = window_of(label, self.calendar)
        if window.kind not in self.period_kinds:
            raise ValueError(f"{self.slug} has no {window.kind} boards")
        return window

    def custom_window(self, days: str) -> CustomWindow:
        """The window of these days, `2026-10-13..2026-10-19`. ValueError if there can't be one."""
        if PeriodKind.DAY not in self.period_kinds:
            raise ValueError(f"{self.slug} keeps no days that a window could be made of")
        return custom_window(days, self.calendar)

    def has_calendar_kind(self, kind: str) -> bool:
        return kind in CALENDAR_KINDS and kind in self.period_kinds

    @cached_property
    def event_range(self) -> tuple[int, int]:
        """The least and most units that one event may bring: by its own limits, and at all, whatever the total is."""
        if self.operator is Operator.ADD:
            span = self.max_total - self.min_total
            return max(self.min_points, -span), min(self.max_points, span)
        return max(self.min_points, self.min_total), min(self.max_points, self.max_total)

    @cached_property
    def _seasons_by_label(self) -> Mapping[str, Window]:
        return {season.label: season for season in self.seasons}


def get_rules(slug: str) -> Rules:
    """The rules of one leaderboard; LeaderboardNotFound. No query while the snapshot is fresh."""
    try:
        return rules_snapshot.get()[slug]
    except KeyError:
        raise LeaderboardNotFound(f"there is no leaderboard {slug!r}") from None


def all_rules() -> Mapping[str, Rules]:
    """Every leaderboard's rules by slug."""
    return rules_snapshot.get()


def get_rules_of(leaderboard_id: int) -> Rules:
    """The rules of the leaderboard with this primary key; LeaderboardNotFound. No query while the snapshot is fresh."""
    for rules in rules_snapshot.get().values():
        if rules.leaderboard_id == leaderboard_id:
            return rules
    raise LeaderboardNotFound(f"there is no leaderboard with the primary key {leaderboard_id}")


def forget_rules() -> None:
    """Make the next caller in this process load them anew."""
    rules_snapshot.forget()


def load_rules() -> Mapping[str, Rules]:
    """Read the definitions from PostgreSQL: 2 queries."""
    seasons: dict[int, list[Window]] = {}
    for period in Period.objects.filter(kind=PeriodKind.SEASON).order_by("starts_at"):
        window = Window(PeriodKind.SEASON, period.label, period.starts_at, period.ends_at)
        seasons.setdefault(period.leaderboard_id, []).append(window)
    return {board.slug: rules_of(board, seasons.get(board.pk, ())) for board in Leaderboard.objects.all()}


def rules_of(leaderboard: Leaderboard, seasons: Iterable[Window]) -> Rules:
    """The definition as a value. ValueError if its points don't fit its scale, or its range can't be packed."""
    scale = leaderboard.scale
    order, ties = Order(leaderboard.order), Ties(leaderboard.ties)
    min_total, max_total = to_units(leaderboard.min_total, scale), to_units(leaderboard.max_total, scale)
    return Rules(
        leaderboard_id=leaderboard.pk,
        slug=leaderboard.slug,
        name=leaderboard.name,
        operator=Operator(leaderboard.operator),
        order=order,
        ties=ties,
        period_kinds=tuple(PeriodKind(kind) for kind in leaderboard.period_kinds),
        scopes=tuple(leaderboard.scopes),
        calendar=Calendar(ZoneInfo(leaderboard.timezone), leaderboard.day_starts_at_hour),
        scale=scale,
        min_points=to_units(leaderboard.min_points, scale),
        max_points=to_units(leaderboard.max_points, scale),
        min_total=min_total,
        max_total=max_total,
        packing=choose_packing(order, ties, min_total, max_total),
        grace_seconds=leaderboard.grace_seconds,
        is_public=leaderboard.is_public,
        show_previous_rank=leaderboard.show_previous_rank,
        seasons=tuple(seasons),
    )


rules_snapshot: Snapshot[Mapping[str, Rules]] = Snapshot(load_rules, settings.RULES_CACHE_SECONDS)
