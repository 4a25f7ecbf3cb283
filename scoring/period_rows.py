"""Period rows: found or opened, once per process, and grouped into window sets.

A window set is the list of periods that an instant counts in. Nearly all events of a batch share one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db import connection
from django.db.models import DateTimeField, ExpressionWrapper, F, Q

from scoring.errors import FieldError
from scoring.models import Period
from scoring.packing import SLOT
from scoring.periods import Window
from scoring.ranking import Ties
from scoring.rules import Rules

FUTURE_TOLERANCE = timedelta(minutes=1)
"""How far ahead of ours a game server's clock may run."""

EARLIEST = datetime(1, 1, 2, tzinfo=UTC)
"""Before, an instant may lie in a year that PostgreSQL stores and Python can't read back."""

PERIOD_CLOSED = FieldError("occurred_at", "period_closed", "a period that this score happened in is closed")
OUTSIDE_OF_THE_CALENDAR = FieldError("occurred_at", "invalid", "occurred_at is outside of the calendar")


@dataclass(frozen=True, slots=True)
class WindowSet:
    """The periods of every instant in `[starts_at, ends_at)`; parallel tuples of labels and primary keys.

    Acceptance numbers up to `last_accept_no` can be packed in all of them; None if any number can.
    """

    starts_at: datetime | None
    ends_at: datetime | None
    closes_at: datetime | None
    labels: tuple[str, ...]
    period_ids: tuple[int, ...] = ()
    last_accept_no: int | None = None

    def holds(self, instant: datetime) -> bool:
        return (self.starts_at is None or self.starts_at <= instant) and (
            self.ends_at is None or instant < self.ends_at
        )

    def is_closed_at(self, now: datetime) -> bool:
        """Whether one of the periods has ended, its grace included."""
        return self.closes_at is not None and now >= self.closes_at


class PeriodGroup(NamedTuple):
    """Periods that are in the same window sets: what counts in one of them counts in all."""

    sets: tuple[int, ...]
    period_ids: list[int]


class WindowSets:
    """The window sets that one call needs, for one leaderboard. Numbers them from 0 in the order of first use."""

    def __init__(self, rules: Rules, now: datetime, *, may_open: bool = True) -> None:
        """Without `may_open` no query is made; PeriodNotKnown instead."""
        self._rules = rules
        self._now = now
        self._row_of = opened_period if may_open else known_period
        self.sets: list[WindowSet] = []
        self._number_now: int | FieldError | None = None

    def number_of(self, occurred_at: datetime | None) -> int | FieldError:
        """Which set the instant belongs to (None: now), or why it can't count: from the future, or closed."""
        if occurred_at is None:
            # Nearly all events say no time of their own.
            if self._number_now is None:
                self._number_now = self._number_at(self._now)
            return self._number_now
        if occurred_at > self._now + FUTURE_TOLERANCE:
            return FieldError("occurred_at", "in_the_future", "occurred_at is more than a minute in the future")
        if occurred_at < EARLIEST:
            return OUTSIDE_OF_THE_CALENDAR
        return self._number_at(occurred_at)

    def _number_at(self, instant: datetime) -> int | FieldError:
        number = next((n for n, known in enumerate(self.sets) if known.holds(instant)), None)
        if number is None:
            number = len(self.sets)
            try:
                self.sets.append(self._find(instant))
            except OverflowError:
                return OUTSIDE_OF_THE_CALENDAR
        if self.sets[number].is_closed_at(self._now):
            return PERIOD_CLOSED
        return number

    def close(self, numbers: Iterable[int]) -> None:
        """These sets have no periods any more that a score could count in."""
        for number in numbers:
            self.sets[number] = replace(self.sets[number], period_ids=())

    def groups(self) -> list[PeriodGroup]:
        """All periods of the sets, each in one group. A single group unless scores are late."""
        holders: dict[int, list[int]] = {}
        for number, window_set in enumerate(self.sets):
            for period_id in window_set.period_ids:
                holders.setdefault(period_id, []).append(number)
        groups: dict[tuple[int, ...], list[int]] = {}
        for period_id, sets in holders.items():
            groups.setdefault(tuple(sets), []).append(period_id)
        return [PeriodGroup(sets, period_ids) for sets, period_ids in groups.items()]

    def labels(self) -> dict[int, str]:
        """Label by period_id, of all periods in the sets."""
        return {
            period_id: label
            for window_set in self.sets
            for label, period_id in zip(window_set.labels, window_set.period_ids, strict=False)
        }

    def last_accept_no(self) -> int | None:
        """The largest number that can be packed in every period of the sets; None if any number can."""
        numbers = (window_set.last_accept_no for window_set in self.sets)
        return min((number for number in numbers if number is not None), default=None)

    def _find(self, instant: datetime) -> WindowSet:
        windows = self._rules.windows_at(instant)
        starts = [window.starts_at for window in windows if window.starts_at is not None]
        ends = [window.ends_at for window in windows if window.ends_at is not None]
        # Between seasons the set must not reach into the next one.
        ends += [s.starts_at for s in self._rules.seasons if s.starts_at is not None and s.starts_at > instant]
        starts += [s.ends_at for s in self._rules.seasons if s.ends_at is not None and s.ends_at <= instant]
        own_ends = [window.ends_at for window in windows if window.ends_at is not None]
        closes_at = min(own_ends) + timedelta(seconds=self._rules.grace_seconds) if own_ends else None
        window_set = WindowSet(
            starts_at=max(starts, default=None),
            ends_at=min(ends, default=None),
            closes_at=closes_at,
            labels=tuple(window.label for window in windows),
        )
        if window_set.is_closed_at(self._now):
            return window_set  # no rows are opened for a period that nothing can reach
        opened = [self._row_of(self._rules.leaderboard_id, window) for window in windows]
        # Where equal points share a rank, numbers are not packed, and never run out.
        is_packed = bool(opened) and self._rules.ties is not Ties.SHARED
        return replace(
            window_set,
            period_ids=tuple(period.period_id for period in opened),
            last_accept_no=min(period.first_accept_no for period in opened) + SLOT - 1 if is_packed else None,
        )


class OpenedPeriod(NamedTuple):
    period_id: int
    first_accept_no: int


class PeriodNotKnown(Exception):
    """The database has to be asked for a period's row."""


_known: dict[tuple[int, Window], OpenedPeriod] = {}
MOST_KNOWN = 10_000


def opened_period(leaderboard_id: int, window: Window) -> OpenedPeriod:
    """What intake needs of the period's row, opened on its first use. No query once this process has seen it.

    Called outside of transactions only: what is remembered must be committed.
    """
    known = _known.get((leaderboard_id, window))
    if known is None:
        period = open_period(leaderboard_id, window)
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        known = _known[leaderboard_id, window] = OpenedPeriod(period.pk, period.first_accept_no)
    return known


def known_period(leaderboard_id: int, window: Window) -> OpenedPeriod:
    """The same for who must not wait for the database. PeriodNotKnown if this process has not seen it yet."""
    try:
        return _known[leaderboard_id, window]
    except KeyError:
        raise PeriodNotKnown from None


def forget_periods() -> None:
    _known.clear()


def open_period(leaderboard_id: int, window: Window) -> Period:
    """The period's row, made if it is not there yet. Repeatable; 1 query, 3 the first time.

    Its packed scores count from the acceptance sequence's value of this moment: whoever numbers an event for this
    period has seen the row, so its number is larger.
    """
    period = Period.objects.filter(leaderboard_id=leaderboard_id, label=window.label).first()
    if period is not None:
        return period
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('scoring_accept_no')")
        (first_accept_no,) = cursor.fetchone()
    return Period.objects.get_or_create(
        leaderboard_id=leaderboard_id,
        label=window.label,
        defaults={
            "kind": window.kind,
            "starts_at": window.starts_at,
            "ends_at": window.ends_at,
            "first_accept_no": first_accept_no,
        },
    )[0]


def load_open_period_ids(now: datetime) -> list[int]:
    """Every period that still takes events, of all leaderboards. 1 query."""
    closes_at = ExpressionWrapper(
        F("ends_at") + F("leaderboard__grace_seconds") * timedelta(seconds=1), output_field=DateTimeField()
    )
    is_open = Q(ends_at__isnull=True) | Q(closes_at__gt=now)
    return list(Period.objects.annotate(closes_at=closes_at).filter(is_open).values_list("id", flat=True))
