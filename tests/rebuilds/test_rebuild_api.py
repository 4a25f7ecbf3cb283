"""POST /v1/rebuilds and GET, DELETE /v1/rebuilds/{id}: for keys with the scope ops."""

import uuid
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from rebuilds.models import BoardJob
from tests.api import authorization, get, post, problem
from tests.boards_truth import differences
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept_all, score
from tests.rebuilds.working import work

pytestmark = pytest.mark.django_db

BOARD = {"board": "quiz:all:global"}


@pytest.fixture
def ops() -> dict[str, str]:
    now = timezone.now()
    LeaderboardFactory.create(scopes=["city"], period_kinds=["day", "all"])
    accept_all(*(score(f"player-{n}", 10 + n, segments={"city": "hyd" if n else "pune"}) for n in range(3)), now=now)
    deliver(now)
    return authorization("ops")


def delete(path: str, headers: dict[str, str]) -> Any:
    return Client().delete(f"/v1/{path}", headers=headers)


def test_a_board_is_rebuilt_and_one_can_watch(ops: dict[str, str]) -> None:
    asked = post("rebuilds", BOARD, ops)
    assert asked.status_code == 202
    body = asked.json()
    assert (body["state"], body["loaded"], body["percent"]) == ("waiting", 0, 0.0)
    assert [board["board"] for board in body["boards"]] == ["quiz:all:global"]

    work(timezone.now())

    done = get(f"rebuilds/{body['id']}", ops).json()
    assert (done["id"], done["state"], done["loaded"], done["expected"], done["percent"]) == (
        body["id"],
        "done",
        3,
        3,
        100.0,
    )
    assert done["boards"][0]["finished_at"] is not None
    assert BoardJob.objects.get().asked_by.startswith("API key ")


def test_a_period_without_its_label_is_the_current_one(ops: dict[str, str]) -> None:
    body = post("rebuilds", {"board": "quiz:day:global"}, ops).json()

    assert body["boards"][0]["board"] == f"quiz:day:{timezone.now():%Y-%m-%d}:global"


def test_all_boards_of_a_leaderboard_are_one_rebuild(ops: dict[str, str]) -> None:
    body = post("rebuilds", {"leaderboard": "quiz"}, ops).json()

    today = f"quiz:day:{timezone.now():%Y-%m-%d}"
    assert sorted(board["board"] for board in body["boards"]) == sorted(
        f"{period}:{scope}" for period in (today, "quiz:all") for scope in ("global", "city:hyd", "city:pune")
    )
    work(timezone.now())
    done = get(f"rebuilds/{body['id']}", ops).json()
    assert (done["state"], done["loaded"], done["percent"]) == ("done", 12, 100.0)
    assert not differences()


def test_a_rebuild_is_cancelled(ops: dict[str, str]) -> None:
    rebuild = post("rebuilds", BOARD, ops).json()["id"]

    assert delete(f"rebuilds/{rebuild}", ops).json()["state"] == "cancelled"
    assert delete(f"rebuilds/{rebuild}", ops).status_code == 200

    work(timezone.now())
    assert get(f"rebuilds/{rebuild}", ops).json()["state"] == "cancelled"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "malformed_json"),
        (b"[]", 400, "invalid"),
        ({}, 400, "invalid"),
        ({"board": "quiz:all:global", "leaderboard": "quiz"}, 400, "invalid"),
        ({"board": 7}, 400, "invalid"),
        ({"leaderboard": None}, 400, "invalid"),
        ({"board": "nothing:all:global"}, 404, "leaderboard_not_found"),
        ({"board": "quiz"}, 404, "board_not_found"),
        ({"board": "quiz:s9:global"}, 404, "board_not_found"),
        ({"leaderboard": "nothing"}, 404, "leaderboard_not_found"),
        ({"leaderboard": "unplayed"}, 409, "no_boards"),
        ({"board": "quiz:day:2020-01-01:city:hyd"}, 409, "board_closed"),
    ],
)
def test_what_can_not_be_rebuilt_is_refused(ops: dict[str, str], body: Any, status: int, code: str) -> None:
    LeaderboardFactory.create(slug="unplayed")

    assert problem(post("rebuilds", body, ops)) == (status, code)
    assert not BoardJob.objects.exists()


def test_the_field_that_is_wrong_is_named(ops: dict[str, str]) -> None:
    assert post("rebuilds", {"leaderboard": 7}, ops).json()["errors"][0]["field"] == "leaderboard"


@pytest.mark.parametrize("rebuild", ["7", str(uuid.UUID(int=0)), "%00"])
def test_an_unknown_id_is_not_found(ops: dict[str, str], rebuild: str) -> None:
    assert problem(get(f"rebuilds/{rebuild}", ops)) == (404, "rebuild_not_found")


def test_it_takes_a_key_with_the_scope_ops_for_this_leaderboard(ops: dict[str, str]) -> None:
    rebuild = post("rebuilds", BOARD, ops).json()["id"]
    LeaderboardFactory.create(slug="race")
    other = authorization("ops", leaderboards=("race",))
    lesser = authorization("submit", "read", "moderate")

    assert problem(post("rebuilds", BOARD)) == (401, "not_authenticated")
    assert problem(post("rebuilds", BOARD, lesser)) == (403, "wrong_scope")
    assert problem(post("rebuilds", BOARD, other)) == (403, "leaderboard_not_allowed")
    assert problem(get(f"rebuilds/{rebuild}", lesser)) == (403, "wrong_scope")
    assert problem(get(f"rebuilds/{rebuild}", other)) == (403, "leaderboard_not_allowed")
    assert problem(delete(f"rebuilds/{rebuild}", other)) == (403, "leaderboard_not_allowed")
