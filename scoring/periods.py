"""Periods: which half-open window of time an instant belongs to. Pure: no database, no settings, no clock.

A period is a function of (rule, IANA time zone, instant). Its label is the middle part of a board id:
`day:2026-10-19`, `week:2026-w43` (ISO weeks with the ISO year), `month:2026-10`, `all`. Seasons have no rule; they
are opened by operators and live in the database, but share `Window`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo


class PeriodKind(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    ALL = "all"


CALENDAR_KINDS = frozenset({PeriodKind.DAY, PeriodKind.WEEK, PeriodKind.MONTH})

SEASON_LABEL = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
"""What an operator may call a season. The names of the other kinds are taken, see `is_season_label`."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """How a leaderboard cuts time into days: its zone, and the local hour at which a day starts (0 to 23)."""

    zone: ZoneInfo
    day_starts_at_hour: int = 0

    def start_of(self, day: date) -> datetime:
        """The instant (aware, UTC) at which the leaderboard's `day` begins.

        Never decreasing in `day`. A wall-clock time that daylight saving skips stands for the moment of the jump
        (PEP 495 with fold=0), one that occurs twice for its first occurrence; so days may have 23 or 25 hours, and
        a date that a zone left out altogether (Samoa's 2011-12-30) is a day without length.
        """
        wall = datetime.combine(day, time(self.day_starts_at_hour), tzinfo=self.zone)
        return wall.astimezone(UTC)

    def day_of(self, instant: datetime) -> date:
        """The one day with `start_of(day) <= instant < start_of(day + 1)`."""
        day = instant.astimezone(self.zone).date()
        while instant < self.start_of(day):
            day -= timedelta(days=1)
        while instant >= self.start_of(day + timedelta(days=1)):
            day += timedelta(days=1)
        return day


@dataclass(frozen=True, slots=True)
class Window:
    """One period: `[starts_at, ends_at)`, aware UTC; None means without bound."""

    kind: PeriodKind
    label: str
    starts_at: datetime | None
    ends_at: datetime | None

    def holds(self, instant: datetime) -> bool:
        return (self.starts_at is None or self.starts_at <= instant) and (
            self.ends_at is None or instant < self.ends_at
        )


ALL_TIME = Window(PeriodKind.ALL, "all", None, None)


@dataclass(frozen=True, slots=True)
class CustomWindow(Window):
    """Any run of days, `first_day` and `last_day` included. No period of its own: it is made of the days' totals."""

    first_day: date
    last_day: date

    @property
    def day_labels(self) -> tuple[str, str]:
        """The labels of the first and the last day. Labels of days sort as the days do."""
        return f"{PeriodKind.DAY}:{self.first_day}", f"{PeriodKind.DAY}:{self.last_day}"

    @property
    def day_count(self) -> int:
        return (self.last_day - self.first_day).days + 1

    def has_period(self, label: str) -> bool:
        """Whether the period under this label is one of the days."""
        first, last = self.day_labels
        return label.startswith(f"{PeriodKind.DAY}:") and first <= label <= last


CUSTOM = "window"
"""What the label of a custom window begins with: `window:2026-10-13..2026-10-19`."""


def window_at(kind: PeriodKind, calendar: Calendar, instant: datetime) -> Window:
    """The period of `kind` that holds `instant`. Seasons are not a function of time: ValueError."""
    if kind is PeriodKind.ALL:
        return ALL_TIME
    if kind is PeriodKind.SEASON:
        raise ValueError("a season is opened by an operator, not computed")
    return _window_from(kind, calendar, _first_day[kind](calendar.day_of(instant)))


def window_of(label: str, calendar: Calendar) -> Window:
    """The period with this calendar label, or `all`. ValueError if no such period exists (`day:2026-02-30`)."""
    if label == ALL_TIME.label:
        return ALL_TIME
    kind, _, rest = label.partition(":")
    if kind not in CALENDAR_KINDS:
        raise ValueError(f"not a calendar period: {label!r}")
    first_day = _parse[PeriodKind(kind)](rest)
    return _window_from(PeriodKind(kind), calendar, first_day)


def custom_window(days: str, calendar: Calendar) -> CustomWindow:
    """The window of `2026-10-13..2026-10-19`. ValueError if these are no two days in this order."""
    first_text, dots, last_text = days.partition("..")
    if not dots:
        raise ValueError(f"not two days (2026-10-13..2026-10-19): {days!r}")
    first_day, last_day = _parse_day(first_text), _parse_day(last_text)
    if last_day < first_day:
        raise ValueError(f"the last day, {last_text}, is before the first, {first_text}")
    first, last = (_window_from(PeriodKind.DAY, calendar, day) for day in (first_day, last_day))
    return CustomWindow(PeriodKind.DAY, f"{CUSTOM}:{days}", first.starts_at, last.ends_at, first_day, last_day)


def is_season_label(label: str) -> bool:
    """Whether an operator may open a season under this label: `s42`, but not `all`, `day`, `global` or `window`."""
    taken = {*PeriodKind, CUSTOM, "global"}
    return SEASON_LABEL.fullmatch(label) is not None and label not in taken


def _window_from(kind: PeriodKind, calendar: Calendar, first_day: date) -> Window:
    try:
        starts_at = calendar.start_of(first_day)
        ends_at = calendar.start_of(_next_first_day[kind](first_day))
    except OverflowError as error:
        raise ValueError(f"out of the calendar's range: {first_day}") from error
    return Window(kind, f"{kind}:{_format[kind](first_day)}", starts_at, ends_at)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _next_month(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1)


def _format_week(monday: date) -> str:
    year, week, _ = monday.isocalendar()
    return f"{year:04d}-w{week:02d}"


def _parse_day(text: str) -> date:
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        raise ValueError(f"not a day (2026-10-19): {text!r}")
    return date.fromisoformat(text)


def _parse_week(text: str) -> date:
    match = re.fullmatch(r"(\d{4})-w(\d\d)", text, re.ASCII)
    if not match:
        raise ValueError(f"not an ISO week (2026-w43): {text!r}")
    return date.fromisocalendar(int(match[1]), int(match[2]), 1)


def _parse_month(text: str) -> date:
    match = re.fullmatch(r"(\d{4})-(\d\d)", text, re.ASCII)
    if not match:
        raise ValueError(f"not a month (2026-10): {text!r}")
    return date(int(match[1]), int(match[2]), 1)


_first_day: dict[PeriodKind, Callable[[date], date]] = {
    PeriodKind.DAY: lambda day: day,
    PeriodKind.WEEK: _monday,
    PeriodKind.MONTH: lambda day: day.replace(day=1),
}
_next_first_day: dict[PeriodKind, Callable[[date], date]] = {
    PeriodKind.DAY: lambda day: day + timedelta(days=1),
    PeriodKind.WEEK: lambda day: day + timedelta(days=7),
    PeriodKind.MONTH: _next_month,
}
_format: dict[PeriodKind, Callable[[date], str]] = {
    PeriodKind.DAY: date.isoformat,
    PeriodKind.WEEK: _format_week,
    PeriodKind.MONTH: lambda first: f"{first.year:04d}-{first.month:02d}",
}
_parse: dict[PeriodKind, Callable[[str], date]] = {
    PeriodKind.DAY: _parse_day,
    PeriodKind.WEEK: _parse_week,
    PeriodKind.MONTH: _parse_month,
}
