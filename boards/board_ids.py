"""Board ids: `{leaderboard}:{period}:{scope}`, with or without the period's label."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from scoring.errors import LeaderboardError
from scoring.models.leaderboard import SEGMENT_NAME
from scoring.periods import CUSTOM, CustomWindow, PeriodKind, Window
from scoring.rules import Rules, get_rules

GLOBAL = "global"
SEGMENT_SCOPE = re.compile(rf"({SEGMENT_NAME}):[A-Za-z0-9_-]{{1,64}}")

KEPT: dict[PeriodKind, timedelta | None] = {
    PeriodKind.DAY: timedelta(days=8),
    PeriodKind.WEEK: timedelta(days=35),
    PeriodKind.MONTH: timedelta(days=100),
    PeriodKind.SEASON: None,
    PeriodKind.ALL: None,
}
"""How long a board lives in Redis, from its first write."""


class BoardNotFound(LeaderboardError):
    status, code = 404, "board_not_found"


class WindowTooLong(LeaderboardError):
    """A custom window of more days than are allowed."""

    code = "window_too_long"


class WindowInTheFuture(LeaderboardError):
    """A custom window of which not even the first day has begun."""

    code = "window_in_the_future"


@dataclass(frozen=True, slots=True)
class Board:
    """One ranked list: whose rules, which period, who is on it."""

    rules: Rules
    window: Window
    scope: str

    @property
    def id(self) -> str:
        return f"{self.rules.slug}:{self.window.label}:{self.scope}"

    @property
    def kept(self) -> timedelta | None:
        """How long it lives in Redis: from its first write; of a custom window, from its last use. None: for ever."""
        if isinstance(self.window, CustomWindow):
            return timedelta(seconds=settings.WINDOW_KEPT_SECONDS)
        return KEPT[self.window.kind]

    @property
    def kept_seconds(self) -> int:
        """The same as scripts take it: 0 for ever."""
        return int(self.kept.total_seconds()) if self.kept else 0

    @property
    def closes_at(self) -> datetime | None:
        """From when on it takes no more events: its period's end and the grace for late ones are over. None: never.

        A custom window has no final standings of its own, and follows its days for as long as it is there.
        """
        ends_at = self.window.ends_at
        if ends_at is None or isinstance(self.window, CustomWindow):
            return None
        return ends_at + timedelta(seconds=self.rules.grace_seconds)

    def is_closed_at(self, now: datetime) -> bool:
        closes_at = self.closes_at
        return closes_at is not None and now >= closes_at


def find_board(text: str, now: datetime) -> Board:
    """The board of an id, a period without label meaning the current one (`quiz:day:global`).

    LeaderboardNotFound, WindowTooLong, WindowInTheFuture, or BoardNotFound if the leaderboard has no such period or scope.
    A board that nobody has scored on yet is found. No query.
    """
    slug, _, rest = text.partition(":")
    rules = get_rules(slug)
    window, scope = _split(rules, rest, now)
    if not _has_scope(rules, scope):
        raise BoardNotFound(f"{slug} has no boards of the scope {scope!r}" if scope else f"{text!r} names no scope")
    return Board(rules, window, scope)


def _split(rules: Rules, rest: str, now: datetime) -> tuple[Window, str]:
    """The period, and what is left for the scope."""
    first, _, after = rest.partition(":")
    second, _, after_label = after.partition(":")
    if rules.has_calendar_kind(first) and second[:1].isdigit():
        # No scope begins with a digit, so this is a label.
        return _window_of(rules, f"{first}:{second}"), after_label
    if first == CUSTOM:
        return _custom_window(rules, second, now), after_label
    if first in (PeriodKind.DAY, PeriodKind.WEEK, PeriodKind.MONTH, PeriodKind.SEASON):
        kind = PeriodKind(first)
        window = rules.window_at(kind, now) if kind in rules.period_kinds else None
        if window is None:
            raise BoardNotFound(f"{rules.slug} has no current {kind}")
        return window, after
    return _window_of(rules, first), after


def _window_of(rules: Rules, label: str) -> Window:
    try:
        return rules.window_of(label)
    except ValueError as error:
        raise BoardNotFound(f"{rules.slug} has no period {label!r}: {error}") from None


def _custom_window(rules: Rules, days: str, now: datetime) -> CustomWindow:
    try:
        window = rules.custom_window(days)
    except ValueError as error:
        raise BoardNotFound(f"{rules.slug} has no window {days!r}: {error}") from None
    if window.day_count > settings.WINDOW_MOST_DAYS:
        raise WindowTooLong(f"{window.label} has {window.day_count} days, {settings.WINDOW_MOST_DAYS} at the most")
    if window.first_day > rules.calendar.day_of(now):
        raise WindowInTheFuture(f"{window.label} has not begun in {rules.calendar.zone}")
    return window


def _has_scope(rules: Rules, scope: str) -> bool:
    if scope == GLOBAL:
        return True
    segment = SEGMENT_SCOPE.fullmatch(scope)
    return segment is not None and segment[1] in rules.scopes
