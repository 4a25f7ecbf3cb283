"""Days that are not 24 hours long, and one that never was."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from scoring.periods import Calendar, PeriodKind, Window, window_at, window_of


def length(zone: str, day: date, hour: int = 0) -> timedelta:
    window = window_of(f"day:{day}", Calendar(ZoneInfo(zone), hour))
    assert window.starts_at is not None
    assert window.ends_at is not None
    return window.ends_at - window.starts_at


def hours(count: float) -> timedelta:
    return timedelta(hours=count)


@pytest.mark.parametrize(
    ("zone", "day", "expected"),
    [
        ("Europe/Berlin", date(2026, 3, 29), hours(23)),
        ("Europe/Berlin", date(2026, 10, 25), hours(25)),
        ("Europe/Berlin", date(2026, 10, 26), hours(24)),
        ("Australia/Lord_Howe", date(2026, 10, 4), hours(23.5)),
        ("Australia/Lord_Howe", date(2026, 4, 5), hours(24.5)),
        ("Pacific/Chatham", date(2026, 9, 27), hours(23)),
        ("Asia/Kathmandu", date(2026, 10, 19), hours(24)),
        ("America/Sao_Paulo", date(2018, 11, 4), hours(23)),  # the clocks jump at midnight: no 0:30
        ("America/Havana", date(2025, 11, 2), hours(25)),  # back to midnight: 0:30 twice
        ("Pacific/Apia", date(2011, 12, 30), hours(0)),  # left out
        ("Pacific/Apia", date(2011, 12, 29), hours(24)),
        ("Pacific/Apia", date(2011, 12, 31), hours(24)),
    ],
)
def test_a_day_is_as_long_as_the_clocks_make_it(zone: str, day: date, expected: timedelta) -> None:
    assert length(zone, day) == expected


def test_no_instant_is_in_samoas_lost_day() -> None:
    apia = Calendar(ZoneInfo("Pacific/Apia"))
    midnight = datetime(2011, 12, 30, 10, tzinfo=UTC)

    assert window_at(PeriodKind.DAY, apia, midnight - timedelta(seconds=1)).label == "day:2011-12-29"
    assert window_at(PeriodKind.DAY, apia, midnight).label == "day:2011-12-31"
    assert not window_of("day:2011-12-30", apia).holds(midnight)


@pytest.mark.parametrize(
    ("zone", "day", "starts_at"),
    [
        ("Asia/Kathmandu", "2026-10-19", datetime(2026, 10, 18, 18, 15, tzinfo=UTC)),
        ("Pacific/Chatham", "2026-07-01", datetime(2026, 6, 30, 11, 15, tzinfo=UTC)),
        ("Asia/Kolkata", "2026-10-19", datetime(2026, 10, 18, 18, 30, tzinfo=UTC)),
        ("America/Sao_Paulo", "2018-11-04", datetime(2018, 11, 4, 3, tzinfo=UTC)),
    ],
)
def test_a_day_starts_at_local_midnight_or_at_the_jump_over_it(zone: str, day: str, starts_at: datetime) -> None:
    assert window_of(f"day:{day}", Calendar(ZoneInfo(zone))).starts_at == starts_at


def test_a_start_hour_that_is_skipped_stands_for_the_jump() -> None:
    day = window_of("day:2026-03-29", Calendar(ZoneInfo("Europe/Berlin"), 2))

    assert day.starts_at == datetime(2026, 3, 29, 1, tzinfo=UTC)
    assert length("Europe/Berlin", date(2026, 3, 28), 2) == hours(24)


def test_a_start_hour_that_comes_twice_stands_for_the_first() -> None:
    berlin = Calendar(ZoneInfo("Europe/Berlin"), 2)
    first = datetime(2026, 10, 25, 0, tzinfo=UTC)

    def day_of(instant: datetime) -> Window:
        return window_at(PeriodKind.DAY, berlin, instant)

    assert day_of(first - timedelta(seconds=1)).label == "day:2026-10-24"
    assert day_of(first).starts_at == first
    assert day_of(first + hours(1)) == day_of(first)
