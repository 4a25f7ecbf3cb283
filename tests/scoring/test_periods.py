"""Periods: every instant is in exactly one of each kind, in every zone, through every change of the clocks."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.periods import (
    ALL_TIME,
    CALENDAR_KINDS,
    Calendar,
    PeriodKind,
    is_season_label,
    window_at,
    window_of,
)
from tests.scoring.zones import ZONES

SECOND = timedelta(seconds=1)

zones = st.sampled_from(ZONES).map(ZoneInfo)
calendars = st.builds(Calendar, zones, st.integers(0, 23))
kinds = st.sampled_from(sorted(CALENDAR_KINDS))
instants = st.datetimes(datetime(2010, 1, 1), datetime(2029, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001 - UTC by `timezones`


@given(calendars, kinds, instants)
def test_an_instant_is_in_the_period_found_for_it(calendar: Calendar, kind: PeriodKind, instant: datetime) -> None:
    window = window_at(kind, calendar, instant)

    assert window.starts_at is not None
    assert window.ends_at is not None
    assert window.starts_at <= instant < window.ends_at
    assert window.holds(instant)


@given(calendars, kinds, instants)
def test_a_label_names_the_same_period(calendar: Calendar, kind: PeriodKind, instant: datetime) -> None:
    window = window_at(kind, calendar, instant)

    assert window_of(window.label, calendar) == window


@given(calendars, kinds, instants)
def test_periods_meet_without_gap_or_overlap(calendar: Calendar, kind: PeriodKind, instant: datetime) -> None:
    window = window_at(kind, calendar, instant)
    assert window.starts_at is not None
    assert window.ends_at is not None

    assert window_at(kind, calendar, window.starts_at) == window
    assert window_at(kind, calendar, window.ends_at - SECOND) == window
    following = window_at(kind, calendar, window.ends_at)
    assert following.starts_at == window.ends_at
    assert following.label > window.label
    before = window_at(kind, calendar, window.starts_at - SECOND)
    assert before.ends_at == window.starts_at
    assert before.label < window.label


@given(calendars, instants)
def test_weeks_and_months_are_made_of_whole_days(calendar: Calendar, instant: datetime) -> None:
    for kind in (PeriodKind.WEEK, PeriodKind.MONTH):
        window = window_at(kind, calendar, instant)
        assert window.starts_at is not None
        assert window_at(PeriodKind.DAY, calendar, window.starts_at).starts_at == window.starts_at


@given(zones, instants)
def test_the_day_is_the_date_on_the_wall(zone: ZoneInfo, instant: datetime) -> None:
    # Zones that turn their clocks at midnight show a date twice, or begin it late; an hour away from it all agree.
    wall = instant.astimezone(zone)
    if wall.hour in range(2, 22):
        assert window_at(PeriodKind.DAY, Calendar(zone), instant).label == f"day:{wall.date()}"


@pytest.mark.parametrize(
    ("day", "label"),
    [
        (date(2024, 12, 29), "week:2024-w52"),
        (date(2024, 12, 30), "week:2025-w01"),
        (date(2021, 1, 1), "week:2020-w53"),
        (date(2021, 1, 4), "week:2021-w01"),
        (date(2027, 1, 1), "week:2026-w53"),
        (date(2026, 10, 19), "week:2026-w43"),
    ],
)
def test_weeks_bear_the_iso_year(day: date, label: str) -> None:
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)

    assert window_at(PeriodKind.WEEK, Calendar(ZoneInfo("UTC")), noon).label == label


def test_a_day_may_start_in_the_night() -> None:
    calendar = Calendar(ZoneInfo("Asia/Kolkata"), day_starts_at_hour=4)
    at_two = datetime(2026, 10, 20, 2, tzinfo=ZoneInfo("Asia/Kolkata"))

    assert window_at(PeriodKind.DAY, calendar, at_two).label == "day:2026-10-19"
    assert window_at(PeriodKind.DAY, calendar, at_two + timedelta(hours=2)).label == "day:2026-10-20"


def test_all_time_holds_everything_and_seasons_are_not_computed() -> None:
    calendar = Calendar(ZoneInfo("UTC"))

    assert window_at(PeriodKind.ALL, calendar, datetime.min.replace(tzinfo=UTC)) == ALL_TIME
    assert window_of("all", calendar) == ALL_TIME
    with pytest.raises(ValueError, match="season"):
        window_at(PeriodKind.SEASON, calendar, datetime(2026, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    "label",
    [
        "day:2026-02-30",
        "day:2026-2-3",
        "day:20260203",
        "day:",
        "day:2026-10-19\n",
        "day:٢٠٢٦-10-19",
        "week:2026-W43",
        "week:2026-w54",
        "week:2025-w53",
        "week:2026-w00",
        "month:2026-13",
        "month:2026-00",
        "day:9999-12-31",
        "day:0000-01-01",
        "year:2026",
        "s42",
        "",
        "all:",
    ],
)
def test_a_label_of_no_period_is_a_value_error(label: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        window_of(label, Calendar(ZoneInfo("Asia/Kolkata")))


@given(calendars, st.text() | st.from_regex(r"(day|week|month):\d{4}-w?\d\d(-\d\d)?", fullmatch=True))
def test_any_label_is_a_period_or_a_value_error(calendar: Calendar, label: str) -> None:
    try:
        window = window_of(label, calendar)
    except ValueError:
        return
    assert window.label == label


@pytest.mark.parametrize("label", ["s42", "2026", "spring-1", "a" * 32])
def test_a_season_may_be_called(label: str) -> None:
    assert is_season_label(label)


@pytest.mark.parametrize(
    "label", ["all", "day", "week", "month", "season", "global", "window", "S1", "-a", "a" * 33, "a\n"]
)
def test_a_season_may_not_be_called(label: str) -> None:
    assert not is_season_label(label)
