"""Decimals over HTTP: in as numbers or strings, out as numbers, digit by digit, from intake to every read."""

from decimal import Decimal
from typing import Any

import pytest

from scoring.models import ScoreEvent
from tests.api import authorization, get, post, problem
from tests.delivery import deliver
from tests.factories import LeaderboardFactory

pytestmark = pytest.mark.django_db

BOARD = "leaderboards/laps:all:global"


@pytest.fixture
def key() -> dict[str, str]:
    """Lap times with 3 decimals, the least wins."""
    LeaderboardFactory.create(slug="laps", operator="best", order="low", scale=3, max_points=3_600, max_total=3_600)
    return authorization("submit")


def send(key: dict[str, str], points: str, player_id: str = "ann", match_id: str = "m1") -> Any:
    body = f'{{"player_id":"{player_id}","match_id":"{match_id}","points":{points}}}'
    return post("scores", body.encode(), key)


@pytest.mark.parametrize("points", ["12.345", '"12.345"', '"12.3450"', "1.2345e1"])
def test_in_as_number_or_string_and_out_digit_by_digit(key: dict[str, str], points: str) -> None:
    assert b'"totals":{"all":12.345}' in send(key, points).content
    assert ScoreEvent.objects.get().points == 12_345
    deliver()

    for response in (
        get(f"{BOARD}/top"),
        get(f"{BOARD}/players/ann"),
        post(f"{BOARD}/ranks", {"player_ids": ["ann"]}),
        post(f"{BOARD}/friends", {"player_id": "ann", "friend_ids": []}),
        get("players/ann"),
    ):
        assert b'"points":12.345' in response.content


@pytest.mark.parametrize(
    "points", ["12.3456", '"12.3456"', "1e-4", '"NaN"', '"Infinity"', "1E+99999999", '"-1E+99999999"']
)
def test_what_the_scale_does_not_hold_is_refused(key: dict[str, str], points: str) -> None:
    response = send(key, points)

    assert problem(response) == (400, "invalid")
    assert response.json()["detail"] == "points must be a number with up to 3 decimals"


def test_a_leaderboard_without_decimals_wants_whole_numbers() -> None:
    LeaderboardFactory.create()

    response = send(authorization("submit"), "1.5")

    assert (problem(response), response.json()["detail"]) == ((400, "invalid"), "points must be a whole number")


@pytest.mark.parametrize("points", ["-0.001", "3600.001", "1e30", "-1e30"])
def test_points_outside_of_one_event_are_refused_with_the_limits_as_written(key: dict[str, str], points: str) -> None:
    response = send(key, points)

    assert problem(response) == (400, "points_out_of_range")
    assert response.json()["detail"] == "points must be from 0 to 3600 in one event"


def test_the_same_points_written_otherwise_are_a_repeat(key: dict[str, str]) -> None:
    send(key, "12.3")

    assert send(key, '"12.300"').json()["duplicate"] is True
    assert problem(send(key, "12.301")) == (409, "match_conflict")


@pytest.mark.parametrize(("expect", "updating"), [("12.346", False), ("12.345", False), ("12.344", True)])
def test_better_points_that_a_caller_knows_of_are_on_their_way(
    key: dict[str, str], expect: str, updating: bool
) -> None:
    """Of lap times the lower ones are better."""
    send(key, "12.345")
    deliver()

    assert get(f"{BOARD}/players/ann?expect={expect}").json()["updating"] == updating


def test_sums_of_decimals_are_exact() -> None:
    LeaderboardFactory.create(slug="laps", scale=6, max_points=1, min_total=0, max_total=2)
    key = authorization("submit")

    for n in range(10):
        answer = send(key, "0.1", match_id=f"m{n}")

    assert answer.json(parse_float=Decimal)["totals"] == {"all": 1}
    assert b'"totals":{"all":1.100000' not in answer.content
    assert b'"totals":{"all":1}' in answer.content
