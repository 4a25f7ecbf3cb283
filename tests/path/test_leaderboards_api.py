"""GET /v1/leaderboards and /v1/leaderboards/{board}: the rules in words and values, the bounds and state of a board."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from boards.keys import board_keys
from scoring.models import Leaderboard
from scoring.rules import forget_rules
from scoring.setup import open_season
from tests.api import authorization, get, problem
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db

START = datetime(2026, 10, 18, 18, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """What the views take for now; a test may change it."""
    now = [NOW]
    monkeypatch.setattr(timezone, "now", lambda: now[0])
    return now


def quiz(**fields: Any) -> None:
    LeaderboardFactory.create(
        **{"scopes": ["city"], "timezone": "Asia/Kolkata", "period_kinds": ["day", "season", "all"], **fields}
    )


def leaderboards(headers: dict[str, str] | None = None) -> list[dict[str, Any]]:
    response = get("leaderboards", headers)
    assert response.status_code == 200
    found: list[dict[str, Any]] = response.json()["leaderboards"]
    return found


def test_a_leaderboard_with_all_its_rules() -> None:
    quiz(name="The quiz", operator="best", order="low", ties="shared", scale=3, max_points=3600, max_total=3600)
    open_season("quiz", "s1", NOW - timedelta(days=9), NOW - timedelta(days=1))
    open_season("quiz", "s2", NOW - timedelta(days=1))

    assert leaderboards() == [
        {
            "leaderboard": "quiz",
            "name": "The quiz",
            "rules": "A player's best attempt counts. Fewer points rank higher. "
            "Equal points share a rank, and the ranks after it are left out: 1, 2, 2, 4.",
            "operator": "best",
            "order": "low",
            "ties": "shared",
            "scale": 3,
            "min_points": 0,
            "max_points": 3600,
            "periods": ["day", "season", "all"],
            "scopes": ["city"],
            "timezone": "Asia/Kolkata",
            "day_starts_at_hour": 0,
            "public": True,
            "boards": ["quiz:day:2026-10-19:global", "quiz:s2:global", "quiz:all:global"],
            "seasons": [
                {"label": "s1", "starts_at": "2026-10-10T14:45:00Z", "ends_at": "2026-10-18T14:45:00Z"},
                {"label": "s2", "starts_at": "2026-10-18T14:45:00Z", "ends_at": None},
            ],
        }
    ]


def test_between_seasons_there_is_no_season_board() -> None:
    quiz()

    assert leaderboards()[0]["boards"] == ["quiz:day:2026-10-19:global", "quiz:all:global"]
    assert leaderboards()[0]["name"] == "quiz"


def test_none_at_all() -> None:
    assert leaderboards() == []


@pytest.mark.parametrize(
    ("scopes", "limited_to", "seen"),
    [
        (None, (), ["quiz"]),
        (("submit",), (), ["quiz"]),
        (("read",), (), ["quiz", "secret"]),
        (("read",), ("quiz",), ["quiz"]),
        (("read",), ("secret",), ["quiz", "secret"]),
    ],
)
def test_private_ones_are_shown_to_whoever_may_read_them(
    scopes: tuple[str, ...] | None, limited_to: tuple[str, ...], seen: list[str]
) -> None:
    quiz()
    LeaderboardFactory.create(slug="secret", is_public=False)
    headers = authorization(*scopes, leaderboards=limited_to) if scopes else None

    assert [one["leaderboard"] for one in leaderboards(headers)] == seen


def test_one_board() -> None:
    quiz(name="The quiz")
    accept_all(score("ann", segments={"city": "hyd"}), score("bob"))
    deliver()

    assert get("leaderboards/quiz:day:city:hyd").json() == {
        "board": "quiz:day:2026-10-19:city:hyd",
        "as_of": "2026-10-19T14:45:00Z",
        "leaderboard": "quiz",
        "name": "The quiz",
        "rules": "Points add up. More points rank higher. On equal points, whoever got there first ranks higher.",
        "period": "day:2026-10-19",
        "scope": "city:hyd",
        "starts_at": "2026-10-18T18:30:00Z",
        "ends_at": "2026-10-19T18:30:00Z",
        "closes_at": "2026-10-19T18:40:00Z",
        "players": 1,
        "state": "live",
    }


def test_all_time_has_no_bounds() -> None:
    quiz()

    board = get("leaderboards/quiz:all:global").json()

    assert [board[bound] for bound in ("starts_at", "ends_at", "closes_at")] == [None] * 3
    assert (board["players"], board["state"]) == (0, "live")


@pytest.mark.parametrize(
    ("seconds_after_the_end", "state"), [(-1, "live"), (0, "live"), (599, "live"), (600, "closed"), (10**6, "closed")]
)
def test_a_board_is_closed_once_its_grace_is_over(
    clock: list[datetime], seconds_after_the_end: int, state: str
) -> None:
    quiz()
    clock[0] = START + timedelta(days=1, seconds=seconds_after_the_end)

    assert get("leaderboards/quiz:day:2026-10-19:global").json()["state"] == state


def test_a_board_that_is_being_rebuilt_says_so(boards_redis: Any) -> None:
    quiz()
    boards_redis.set(board_keys("quiz:all:global").lease, "somebody", ex=60)

    assert get("leaderboards/quiz:all:global").json()["state"] == "rebuilding"
    assert get("leaderboards/quiz:day:global").json()["state"] == "live"


def test_a_grace_that_changes_moves_the_closing() -> None:
    quiz()
    Leaderboard.objects.update(grace_seconds=0)
    forget_rules()

    board = get("leaderboards/quiz:day:global").json()
    assert board["closes_at"] == board["ends_at"]


@pytest.mark.parametrize(
    ("board", "code"),
    [("nope:all:global", "leaderboard_not_found"), ("quiz:all:clan:x", "board_not_found"), ("quiz", "board_not_found")],
)
def test_what_is_no_board_is_not_found(board: str, code: str) -> None:
    quiz()

    assert problem(get(f"leaderboards/{board}")) == (404, code)


def test_a_private_board_needs_a_key() -> None:
    LeaderboardFactory.create(slug="secret", is_public=False)

    assert problem(get("leaderboards/secret:all:global")) == (401, "not_authenticated")
    assert get("leaderboards/secret:all:global", authorization("read")).status_code == 200


@pytest.mark.usefixtures("redis_away")
def test_without_redis_the_rules_are_still_told() -> None:
    quiz()

    assert len(leaderboards()) == 1
    assert problem(get("leaderboards/quiz:all:global")) == (503, "boards_unavailable")
