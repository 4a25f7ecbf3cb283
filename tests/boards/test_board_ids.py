"""Board ids: with label, or with the kind alone for the current period."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boards.board_ids import BoardNotFound, find_board
from scoring.errors import LeaderboardNotFound
from scoring.setup import open_season
from tests.factories import NOW, LeaderboardFactory

pytestmark = pytest.mark.django_db

KINDS = ["day", "week", "month", "season", "all"]


@pytest.fixture(autouse=True)
def quiz() -> None:
    LeaderboardFactory.create(timezone="Asia/Kolkata", period_kinds=KINDS, scopes=["city", "day", "country_2"])
    open_season("quiz", "s41", NOW - timedelta(days=90), NOW - timedelta(days=30))
    open_season("quiz", "s42", NOW - timedelta(days=1))
    LeaderboardFactory.create(slug="race", period_kinds=["week", "season"])


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("quiz:s42:global", "quiz:s42:global"),
        ("quiz:s41:city:hyd", "quiz:s41:city:hyd"),
        ("quiz:all:global", "quiz:all:global"),
        ("quiz:day:2026-10-18:global", "quiz:day:2026-10-18:global"),
        ("quiz:week:2026-w43:city:hyd", "quiz:week:2026-w43:city:hyd"),
        ("quiz:month:2026-10:country_2:in", "quiz:month:2026-10:country_2:in"),
        ("quiz:day:global", "quiz:day:2026-10-19:global"),
        ("quiz:week:city:hyd", "quiz:week:2026-w43:city:hyd"),
        ("quiz:month:global", "quiz:month:2026-10:global"),
        ("quiz:season:global", "quiz:s42:global"),
        ("quiz:season:city:Hyd_1-a", "quiz:s42:city:Hyd_1-a"),
        ("quiz:day:day:x", "quiz:day:2026-10-19:day:x"),
        ("quiz:day:city:2026-10-18", "quiz:day:2026-10-19:city:2026-10-18"),
        ("quiz:day:0001-01-02:global", "quiz:day:0001-01-02:global"),
    ],
)
def test_an_id_names_its_board(text: str, full: str) -> None:
    board = find_board(text, NOW)

    assert board.id == full
    assert find_board(full, NOW + timedelta(days=400)).id == full


def test_the_current_day_is_the_leaderboards_own() -> None:
    after_midnight = datetime(2026, 10, 20, 0, 30, tzinfo=ZoneInfo("Asia/Kolkata"))

    assert find_board("quiz:day:global", after_midnight).window.label == "day:2026-10-20"


@pytest.mark.parametrize(
    "text",
    [
        "quiz",
        "quiz:",
        "quiz:all",
        "quiz:all:",
        "quiz::global",
        "quiz:s43:global",
        "quiz:day:2026-02-30:global",
        "quiz:day:2026-10-19",
        "quiz:day:9999-12-31:global",
        "quiz:day:²:global",
        "quiz:week:2026-w99:global",
        "quiz:all:globals",
        "quiz:all:global:x",
        "quiz:all:global\n",
        "quiz:all:clan:red",
        "quiz:all:city",
        "quiz:all:city:",
        "quiz:all:city:a b",
        "quiz:all:city:hyd:x",
        "quiz:all:city:hyd\n",
        "quiz:all:city:" + "x" * 65,
        "race:day:global",
        "race:day:2026-10-19:global",
        "race:all:global",
        "race:season:global",
        "race:week:city:hyd",
        "quiz:window:global",
    ],
)
def test_what_the_leaderboard_has_not_is_not_found(text: str) -> None:
    with pytest.raises(BoardNotFound):
        find_board(text, NOW)


@pytest.mark.parametrize(
    "text", ["", "nope:all:global", ":all:global", "QUIZ:all:global", "quiz\n:all:global", "lb:quiz"]
)
def test_an_unknown_leaderboard_is_named_so(text: str) -> None:
    with pytest.raises(LeaderboardNotFound):
        find_board(text, NOW)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(max_size=30)
    | st.lists(
        st.sampled_from(["quiz", "day", "2026-10-19", "week", "2026-w43", "s42", "all", "city", "hyd", "global", ""])
    ).map(":".join)
)
def test_any_text_is_a_board_or_not_found(text: str) -> None:
    try:
        board = find_board(text, NOW)
    except (LeaderboardNotFound, BoardNotFound):
        return
    assert find_board(board.id, NOW) == board
