"""GET /v1/players/{id}: every current board that the player is on."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from scoring.setup import open_season
from tests.api import authorization, get, problem
from tests.delivery import deliver
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.path.test_costs import Queries

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def evening(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture(autouse=True)
def two_leaderboards() -> None:
    """A public quiz with cities and a season, and a private race."""
    LeaderboardFactory.create(scopes=["city"], period_kinds=["day", "season", "all"])
    LeaderboardFactory.create(slug="race", operator="best", order="low", scale=2, is_public=False, max_total=1_000)
    open_season("quiz", "s1", NOW - timedelta(days=3))
    yesterday = NOW - timedelta(days=1)
    accept_all(score("ann", 100, segments={"city": "hyd", "clan": "red"}), now=yesterday)
    accept_all(score("bob", 30), score("ann", 10), score("ann", 12, leaderboard="race"))
    deliver()


def boards(player_id: str, headers: dict[str, str] | None = None) -> list[tuple[str, int, Any, int]]:
    response = get(f"players/{player_id}", headers)
    assert response.status_code == 200
    answer = response.json()
    assert (answer["player_id"], answer["as_of"]) == (player_id, "2026-10-19T14:45:00Z")
    return [(one["board"], one["rank"], one["points"], one["players"]) for one in answer["boards"]]


ANNS_QUIZ = [
    ("quiz:day:2026-10-19:global", 2, 10, 2),
    ("quiz:day:2026-10-19:city:hyd", 1, 10, 1),
    ("quiz:s1:global", 1, 110, 2),
    ("quiz:s1:city:hyd", 1, 110, 1),
    ("quiz:all:global", 1, 110, 2),
    ("quiz:all:city:hyd", 1, 110, 1),
]


def test_all_current_boards_of_a_player() -> None:
    assert boards("ann") == ANNS_QUIZ


def test_boards_that_the_player_is_not_on_are_left_out() -> None:
    assert boards("bob") == [
        ("quiz:day:2026-10-19:global", 1, 30, 2),
        ("quiz:s1:global", 2, 30, 2),
        ("quiz:all:global", 2, 30, 2),
    ]


def test_nobody_is_on_no_board() -> None:
    assert boards("nobody") == []


def test_private_leaderboards_are_shown_with_a_key_alone() -> None:
    race = [("race:all:global", 1, 12, 1)]

    assert boards("ann", authorization("read")) == ANNS_QUIZ + race
    assert boards("ann", authorization("read", leaderboards=("race",))) == ANNS_QUIZ + race
    assert boards("ann", authorization("read", leaderboards=("quiz",))) == ANNS_QUIZ
    assert boards("ann", authorization("submit")) == ANNS_QUIZ


def test_who_has_moved_is_shown_where_he_is_now() -> None:
    accept_all(score("ann", 0, segments={"city": "pune"}))
    deliver()

    assert [board for board, *_ in boards("ann") if "city" in board] == [
        "quiz:day:2026-10-19:city:pune",
        "quiz:s1:city:pune",
        "quiz:all:city:pune",
    ]


@pytest.mark.parametrize("player_id", ["a%20b", "a%0A", "x" * 65])
def test_what_can_be_no_player_id_is_refused(player_id: str) -> None:
    assert problem(get(f"players/{player_id}")) == (400, "invalid")


@pytest.mark.parametrize("player_id", ["ann", "nobody"])
def test_it_costs_one_query_however_many_boards(player_id: str, django_assert_num_queries: Queries) -> None:
    get("players/ann")

    with django_assert_num_queries(1):
        get(f"players/{player_id}")


def test_the_other_reads_cost_none(django_assert_num_queries: Queries) -> None:
    get("leaderboards")

    with django_assert_num_queries(0):
        assert get("leaderboards").status_code == get("leaderboards/quiz:day:global").status_code == 200


@pytest.mark.usefixtures("redis_away")
def test_without_redis_the_caller_is_told_to_come_back() -> None:
    assert problem(get("players/ann")) == (503, "boards_unavailable")
