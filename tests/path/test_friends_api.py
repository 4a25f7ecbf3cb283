"""POST friends: a player and the friends among themselves, with their ranks on the board."""

from typing import Any

import pytest

from tests.api import authorization, post, problem
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db

BOARD = "leaderboards/quiz:all:global"


def fill(**rules: Any) -> None:
    """ann on 40; b, c, d on 30; e on 20; f on 10, and named."""
    LeaderboardFactory.create(**rules)
    accept_all(score("ann", 40), *(score(p, 30) for p in "bcd"), score("e", 20), score("f", 10, name="Eff"))
    deliver()


def friends(player_id: str, *friend_ids: str) -> list[dict[str, Any]]:
    response = post(f"{BOARD}/friends", {"player_id": player_id, "friend_ids": friend_ids})
    assert response.status_code == 200
    assert response.json()["board"] == "quiz:all:global"
    found: list[dict[str, Any]] = response.json()["entries"]
    return found


def ranks(player_id: str, *friend_ids: str) -> list[tuple[int, int, str]]:
    return [(e["rank"], e["board_rank"], e["player_id"]) for e in friends(player_id, *friend_ids)]


def test_friends_are_ranked_among_themselves() -> None:
    fill()

    assert friends("f", "ann", "d") == [
        {"rank": 1, "board_rank": 1, "player_id": "ann", "name": None, "points": 40},
        {"rank": 2, "board_rank": 4, "player_id": "d", "name": None, "points": 30},
        {"rank": 3, "board_rank": 6, "player_id": "f", "name": "Eff", "points": 10},
    ]


def test_who_is_not_on_the_board_is_left_out() -> None:
    fill()

    assert ranks("e", "nobody", "f", "nobody-else") == [(1, 5, "e"), (2, 6, "f")]
    assert ranks("nobody", "ann") == [(1, 1, "ann")]
    assert ranks("nobody") == []


def test_a_player_without_friends_is_first() -> None:
    fill()

    assert ranks("e") == [(1, 5, "e")]


def test_whoever_is_named_twice_is_there_once() -> None:
    fill()

    assert ranks("e", "ann", "e", "ann", "e") == [(1, 1, "ann"), (2, 5, "e")]


def test_friends_who_share_a_rank_on_the_board_share_one_among_themselves() -> None:
    fill(ties="shared")

    assert ranks("f", "d", "e", "b") == [(1, 2, "d"), (1, 2, "b"), (3, 5, "e"), (4, 6, "f")]
    assert ranks("d", "ann", "e") == [(1, 1, "ann"), (2, 2, "d"), (3, 5, "e")]


def test_of_laps_the_lowest_is_first() -> None:
    fill(order="low")

    assert ranks("ann", "f", "c") == [(1, 1, "f"), (2, 4, "c"), (3, 6, "ann")]


def test_5000_friends_are_answered() -> None:
    fill()

    assert ranks("ann", *(f"nobody-{n}" for n in range(4_999)), "f") == [(1, 1, "ann"), (2, 6, "f")]


def test_5001_are_refused() -> None:
    fill()

    response = post(f"{BOARD}/friends", {"player_id": "ann", "friend_ids": [f"p{n}" for n in range(5_001)]})

    assert problem(response) == (400, "invalid")
    assert response.json()["errors"][0]["field"] == "friend_ids"


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        (b"{}", "invalid", "player_id"),
        (b'{"player_id":"ann"}', "invalid", "friend_ids"),
        (b'{"player_id":"a b","friend_ids":[]}', "invalid", "player_id"),
        (b'{"player_id":"ann","friend_ids":["a b"]}', "invalid", "friend_ids"),
        (b'{"player_id":"ann","friend_ids":[5]}', "invalid", "friend_ids"),
        (b'{"player_id":"ann","friend_ids":"bob"}', "invalid", "friend_ids"),
        (b"[]", "invalid", None),
        (b"{", "malformed_json", None),
        (b"\xff", "malformed_json", None),
        (b'{"player_id":' + b"[" * 100_000, None, None),
    ],
)
def test_a_wrong_question_is_refused(body: bytes, code: str | None, field: str | None) -> None:
    fill()

    response = post(f"{BOARD}/friends", body)

    status, told = problem(response)
    assert status == 400
    assert code in (told, None)
    assert field is None or [error["field"] for error in response.json()["errors"]] == [field]


def test_friends_on_a_private_board_need_a_key() -> None:
    fill(is_public=False)
    body = {"player_id": "ann", "friend_ids": ["b"]}

    assert problem(post(f"{BOARD}/friends", body)) == (401, "not_authenticated")
    assert post(f"{BOARD}/friends", body, authorization("read")).status_code == 200


@pytest.mark.usefixtures("redis_away")
def test_without_redis_they_are_told_to_come_back() -> None:
    LeaderboardFactory.create()

    assert problem(post(f"{BOARD}/friends", {"player_id": "ann", "friend_ids": []})) == (503, "boards_unavailable")
