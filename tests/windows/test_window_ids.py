"""Ids of custom windows: which there are, and a clear error for those that can't be."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from boards.board_ids import BoardNotFound, WindowInTheFuture, WindowTooLong, find_board
from scoring.errors import LeaderboardError
from scoring.periods import CustomWindow
from tests.factories import NOW, LeaderboardFactory

pytestmark = pytest.mark.django_db

WEEK = "window:2026-10-13..2026-10-19"


@pytest.fixture(autouse=True)
def quiz() -> None:
    LeaderboardFactory.create(
        period_kinds=["day"], scopes=["city"], timezone="Asia/Kolkata", day_starts_at_hour=6, grace_seconds=60
    )


def error_of(text: str, now: datetime = NOW) -> LeaderboardError:
    with pytest.raises(LeaderboardError) as caught:
        find_board(text, now)
    return caught.value


def test_days_are_those_of_the_leaderboard() -> None:
    board = find_board(f"quiz:{WEEK}:global", NOW)

    assert isinstance(board.window, CustomWindow)
    assert (board.window.first_day, board.window.last_day) == (date(2026, 10, 13), date(2026, 10, 19))
    assert board.window.day_count == 7
    assert board.window.starts_at == datetime(2026, 10, 13, 0, 30, tzinfo=UTC)
    assert board.window.ends_at == datetime(2026, 10, 20, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize("scope", ["global", "city:hyd"])
def test_the_id_is_what_was_asked_for(scope: str) -> None:
    assert find_board(f"quiz:{WEEK}:{scope}", NOW).id == f"quiz:{WEEK}:{scope}"


def test_a_window_is_never_closed_however_long_ago_it_was() -> None:
    board = find_board("quiz:window:2020-02-28..2020-03-01:global", NOW)

    assert board.closes_at is None
    assert not board.is_closed_at(NOW)


def test_one_day_and_days_to_come_may_be_in_it() -> None:
    assert find_board("quiz:window:2026-10-19..2026-10-19:global", NOW).window.holds(NOW)
    assert find_board("quiz:window:2026-10-19..2026-12-31:global", NOW).window.holds(NOW)


@pytest.mark.parametrize(
    ("days", "words"),
    [
        ("2026-10-19..2026-10-13", "before the first"),
        ("2026-02-29..2026-03-01", "2026-02-29"),
        ("2026-10-13..2026-10-32", "2026-10-32"),
        ("2026-10-13", "not two days"),
        ("2026-10-13...2026-10-19", "not a day"),
        ("2026-1-1..2026-10-19", "not a day"),
        ("..", "not a day"),
        ("", "not two days"),
        ("9999-12-31..9999-12-31", "calendar"),
        ("٢٠٢٦-10-13..2026-10-19", "not a day"),
    ],
)
def test_what_is_no_run_of_days_is_not_found(days: str, words: str) -> None:
    error = error_of(f"quiz:window:{days}:global")

    assert type(error) is BoardNotFound
    assert words in error.detail


@pytest.mark.parametrize("scope", ["", "clan:red", "city:", "globe"])
def test_an_unknown_scope_is_not_found(scope: str) -> None:
    assert type(error_of(f"quiz:{WEEK}:{scope}")) is BoardNotFound


def test_a_leaderboard_without_days_has_no_windows() -> None:
    LeaderboardFactory.create(slug="lap", period_kinds=["week", "all"])

    error = error_of(f"lap:{WEEK}:global")

    assert type(error) is BoardNotFound
    assert "keeps no days" in error.detail


def test_a_window_may_be_as_long_as_the_settings_say(settings: Any) -> None:
    settings.WINDOW_MOST_DAYS = 7

    assert find_board(f"quiz:{WEEK}:global", NOW).window.label == WEEK
    error = error_of("quiz:window:2026-10-12..2026-10-19:global")
    assert type(error) is WindowTooLong
    assert (error.status, error.code) == (400, "window_too_long")
    assert "8 days, 7 at the most" in error.detail


def test_a_window_begins_with_its_first_day_and_not_before() -> None:
    # Half past midnight UTC is six in the morning in Kolkata.
    begins_at = datetime(2026, 10, 13, 0, 30, tzinfo=UTC)

    assert find_board(f"quiz:{WEEK}:global", begins_at).window.starts_at == begins_at
    error = error_of(f"quiz:{WEEK}:global", begins_at.replace(minute=29))
    assert type(error) is WindowInTheFuture
    assert (error.status, error.code) == (400, "window_in_the_future")
