"""The read API: top, player and ranks as API.md says."""

from typing import Any

import pytest
from django.test import Client

from boards.top_cache import forget_top_pages
from tests.api import authorization, get, post, problem
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db

BOARD = "leaderboards/quiz:all:global"


@pytest.fixture(autouse=True)
def filled_board() -> None:
    """ann on 30, bob on 20, and c, d, e, f on 10 each, in this order."""
    LeaderboardFactory.create(scopes=["city"])
    accept_all(score("ann", 30, name="Ann"), score("bob", 20), *(score(player, 10) for player in "cdef"))
    deliver()


def entry(rank: int | None, player_id: str, points: int | None, name: str | None = None) -> dict[str, Any]:
    return {"rank": rank, "player_id": player_id, "name": name, "points": points}


def test_the_top() -> None:
    response = get(f"{BOARD}/top?n=3")

    answer = response.json()
    assert response.status_code == 200
    assert answer.pop("as_of").endswith("Z")
    assert answer == {
        "board": "quiz:all:global",
        "players": 6,
        "entries": [entry(1, "ann", 30, "Ann"), entry(2, "bob", 20), entry(3, "c", 10)],
    }


def test_a_page_further_down() -> None:
    entries = get(f"{BOARD}/top?n=2&offset=4").json()["entries"]

    assert entries == [entry(5, "e", 10), entry(6, "f", 10)]
    assert get(f"{BOARD}/top?offset=6").json()["entries"] == []


def test_a_player_with_neighbours() -> None:
    answer = get(f"{BOARD}/players/bob?around=1").json()

    del answer["as_of"]
    assert answer == {
        "board": "quiz:all:global",
        **entry(2, "bob", 20),
        "players": 6,
        "top_percent": 33.34,
        "updating": False,
        "neighbours": [entry(1, "ann", 30, "Ann"), entry(2, "bob", 20), entry(3, "c", 10)],
    }


def test_a_player_without_neighbours() -> None:
    assert get(f"{BOARD}/players/bob?around=0").json()["neighbours"] == []
    assert len(get(f"{BOARD}/players/c").json()["neighbours"]) == 6


@pytest.mark.parametrize(("expect", "updating"), [(19, False), (20, False), (21, True)])
def test_who_knows_of_more_points_is_told_that_they_are_on_their_way(expect: int, updating: bool) -> None:
    assert get(f"{BOARD}/players/bob?expect={expect}").json()["updating"] == updating


def test_ranks_in_the_order_asked_for() -> None:
    response = post(f"{BOARD}/ranks", {"player_ids": ["c", "nobody", "ann"]})

    assert response.status_code == 200
    assert response.json()["entries"] == [entry(3, "c", 10), entry(None, "nobody", None), entry(1, "ann", 30, "Ann")]


def test_ranks_of_nobody() -> None:
    response = post(f"{BOARD}/ranks", {"player_ids": []})

    assert (response.status_code, response.json()["entries"]) == (200, [])


@pytest.mark.parametrize(
    "query", ["n=0", "n=1001", "n=abc", "n=-1", "n=", "n=1.5", "n=1_0", "n=٣", "offset=-1", "offset=x"]
)
def test_a_wrong_page_is_refused(query: str) -> None:
    response = get(f"{BOARD}/top?{query}")

    assert problem(response) == (400, "invalid")
    assert response.json()["errors"][0]["field"] == query.partition("=")[0]


@pytest.mark.parametrize("query", ["around=51", "around=-1", "around=x", "expect=x", "expect=" + "9" * 40])
def test_a_wrong_question_about_a_player_is_refused(query: str) -> None:
    assert problem(get(f"{BOARD}/players/ann?{query}")) == (400, "invalid")


def test_the_largest_pages_are_answered() -> None:
    assert get(f"{BOARD}/top?n=1000").status_code == get(f"{BOARD}/players/ann?around=50").status_code == 200


@pytest.mark.parametrize("player_id", ["a%0A", "a%00", "a%20b", "%C3%A9", "x" * 65, "a%22", "%FF"])
def test_what_can_be_no_player_id_is_refused(player_id: str) -> None:
    assert problem(get(f"{BOARD}/players/{player_id}")) == (400, "invalid")


def test_who_is_not_on_the_board_is_not_found() -> None:
    assert problem(get(f"{BOARD}/players/nobody")) == (404, "player_not_ranked")


@pytest.mark.parametrize(
    ("board", "code"),
    [
        ("nope:all:global", "leaderboard_not_found"),
        ("quiz:s99:global", "board_not_found"),
        ("quiz:day:global", "board_not_found"),
        ("quiz:all:clan:red", "board_not_found"),
        ("quiz:all", "board_not_found"),
        ("quiz%0A:all:global", "leaderboard_not_found"),
        ("%00", "leaderboard_not_found"),
    ],
)
@pytest.mark.parametrize("read", ["top", "players/ann", "ranks"])
def test_a_board_that_is_not_there_is_not_found(board: str, code: str, read: str) -> None:
    path = f"leaderboards/{board}/{read}"

    response = post(path, {"player_ids": ["ann"]}) if read == "ranks" else get(path)

    assert problem(response) == (404, code)


def test_a_board_that_nobody_has_scored_on_is_empty() -> None:
    answer = get("leaderboards/quiz:all:city:hyd/top").json()

    assert (answer["players"], answer["entries"]) == (0, [])


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", "malformed_json"),
        (b"\xff", "malformed_json"),
        (b"", "malformed_json"),
        (b'{"player_ids":["\xff"]}', "malformed_json"),
        (b"[]", "invalid"),
        (b"{}", "invalid"),
        (b'{"player_ids":["a\\n"]}', "invalid"),
        (b'{"player_ids":[5]}', "invalid"),
        (b'{"player_ids":' + b"[" * 200_000, "malformed_json"),
        (b'{"x":' + b"[" * 200_000, "malformed_json"),
        (b'{"player_ids":[' + b",".join([b'"a"'] * 1001) + b"]}", "invalid"),
    ],
)
def test_a_wrong_list_of_players_is_refused(body: bytes, code: str) -> None:
    status, told = problem(post(f"{BOARD}/ranks", body))

    assert status == 400
    assert told == code or body.count(b"[") > 1000


def test_a_top_that_has_not_changed_need_not_be_sent_again() -> None:
    first = get(f"{BOARD}/top")
    forget_top_pages()

    again = get(f"{BOARD}/top", {"If-None-Match": first["ETag"]})

    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert first["Cache-Control"] == again["Cache-Control"] == "public, max-age=1"


@pytest.mark.parametrize("form", ["W/{}", '"other", {}', '{} , W/"x"', "*"])
def test_an_etag_is_recognized_in_every_form_of_the_header(form: str) -> None:
    etag = get(f"{BOARD}/top")["ETag"]

    assert get(f"{BOARD}/top", {"If-None-Match": form.format(etag)}).status_code == 304


def test_a_top_that_has_changed_has_another_etag() -> None:
    before = get(f"{BOARD}/top")["ETag"]
    accept_all(score("f", 100))
    deliver()
    forget_top_pages()

    response = get(f"{BOARD}/top", {"If-None-Match": before})

    assert response.status_code == 200
    assert response.json()["entries"][0]["player_id"] == "f"


def test_the_top_of_a_private_board_is_cached_by_nobody_else() -> None:
    LeaderboardFactory.create(slug="secret", is_public=False)

    assert get("leaderboards/secret:all:global/top", authorization("read"))["Cache-Control"] == "private, max-age=1"


def test_other_methods() -> None:
    client = Client()
    head: Any = client.head(f"/v1/{BOARD}/top")
    assert (head.status_code, head.content) == (200, b"")
    assert client.options(f"/v1/{BOARD}/top").status_code == 200
    assert problem(client.delete(f"/v1/{BOARD}/top")) == (405, "method_not_allowed")
    assert problem(client.get(f"/v1/{BOARD}/ranks")) == (405, "method_not_allowed")
