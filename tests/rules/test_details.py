"""Details on a score: shown with the entry whose points they belong to, in every read, and nowhere else."""

from typing import Any

import msgspec
import pytest

from scoring.models import ScoreEvent
from scoring.ranking import Operator
from tests.api import authorization, get, post, problem
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db

BOARD = "leaderboards/quiz:all:global"
RED, BLUE, GREEN = {"car": "red"}, {"car": "blue"}, {"car": "green"}


def shown() -> Any:
    """The details of ann, None if there are none: the same in every read."""
    deliver()
    reads = [
        get(f"{BOARD}/top?n=1000").json()["entries"],
        [get(f"{BOARD}/players/ann?around=0").json()],
        get(f"{BOARD}/players/ann").json()["neighbours"],
        post(f"{BOARD}/ranks", {"player_ids": ["nobody", "ann"]}).json()["entries"],
        post(f"{BOARD}/friends", {"player_id": "bob", "friend_ids": ["ann"]}).json()["entries"],
    ]
    found = [[entry.get("details") for entry in entries if entry["player_id"] == "ann"] for entries in reads]
    assert all(one == found[0] for one in found)
    return found[0][0]


@pytest.fixture(autouse=True)
def fresh_pages(settings: Any) -> None:
    settings.TOP_CACHE_SECONDS = 0


def play(operator: Operator, *attempts: tuple[int, Any]) -> Any:
    """Ann's attempts, points and details, a call each; what is shown after the last."""
    LeaderboardFactory.create(operator=operator, min_points=-100)
    accept_all(score("bob", 1))
    for points, details in attempts:
        accept_all(score("ann", points, details=details))
        deliver()
    return shown()


@pytest.mark.parametrize("operator", Operator)
def test_without_details_there_is_no_such_key(operator: Operator) -> None:
    assert play(operator, (10, None)) is None
    assert b"details" not in get(f"{BOARD}/top").content


@pytest.mark.parametrize("operator", Operator)
def test_details_of_one_player_are_not_shown_for_another(operator: Operator) -> None:
    play(operator, (10, RED))

    assert [entry.get("details") for entry in get(f"{BOARD}/top").json()["entries"]] == [RED, None]


@pytest.mark.parametrize(
    ("operator", "attempts", "expected"),
    [
        (Operator.BEST, [(10, RED), (20, BLUE), (15, GREEN)], BLUE),
        (Operator.BEST, [(10, RED), (10, BLUE)], RED),
        (Operator.BEST, [(10, RED), (20, None)], None),
        (Operator.BEST, [(10, RED), (5, None)], RED),
        (Operator.LATEST, [(10, RED), (20, BLUE), (15, GREEN)], GREEN),
        (Operator.LATEST, [(10, RED), (10, BLUE)], BLUE),
        (Operator.LATEST, [(10, RED), (5, None)], None),
        (Operator.ADD, [(10, RED), (20, BLUE), (0, GREEN)], BLUE),
        (Operator.ADD, [(10, RED), (-5, BLUE)], BLUE),
        (Operator.ADD, [(0, RED), (0, BLUE)], RED),
        (Operator.ADD, [(0, RED), (1, BLUE)], BLUE),
        (Operator.ADD, [(10, RED), (1, None)], None),
    ],
)
def test_they_belong_to_the_points(operator: Operator, attempts: list[tuple[int, Any]], expected: Any) -> None:
    assert play(operator, *attempts) == expected


@pytest.mark.parametrize(
    ("operator", "expected"), [(Operator.BEST, RED), (Operator.LATEST, GREEN), (Operator.ADD, BLUE)]
)
def test_they_belong_to_the_points_within_a_batch_too(operator: Operator, expected: Any) -> None:
    LeaderboardFactory.create(operator=operator)
    accept_all(score("ann", 20, details=RED), score("ann", 10, details=BLUE), score("ann", 0, details=GREEN))

    assert shown() == expected


def test_an_empty_object_is_none() -> None:
    assert play(Operator.BEST, (10, RED), (20, {})) is None


def test_a_repeat_changes_no_details() -> None:
    LeaderboardFactory.create()
    accept_all(score("ann", 10, "m1", details=RED))

    (again,) = accept_all(score("ann", 10, "m1", details=BLUE))

    assert again.duplicate
    assert shown() == RED
    assert ScoreEvent.objects.get().details == RED


def test_a_move_takes_them_along() -> None:
    LeaderboardFactory.create(scopes=["city"])
    accept_all(score("ann", 10, details=RED, segments={"city": "hyd"}))
    deliver()
    accept_all(score("ann", 0, segments={"city": "pune"}))
    deliver()

    assert get("leaderboards/quiz:all:city:pune/top").json()["entries"][0]["details"] == RED
    assert get("leaderboards/quiz:all:city:hyd/top").json()["entries"] == []


NESTED = {"splits": [12.5, 13, None], "track": {"name": "हैदराबाद 🎉", "wet": True}, "quote": '"\\'}


def test_any_small_object_comes_out_as_it_went_in() -> None:
    assert play(Operator.BEST, (10, NESTED)) == NESTED


def send(details: bytes) -> Any:
    LeaderboardFactory.create()
    body = b'{"player_id":"ann","match_id":"m1","points":10,"details":%s}' % details
    return post("scores", body, authorization("submit"))


def test_details_of_a_kilobyte_are_taken() -> None:
    assert send(b'{"a":"%s"}' % (b"x" * (1024 - 8))).status_code == 202
    assert len(shown()["a"]) == 1016


@pytest.mark.parametrize("text", [b"x" * 1017, "é".encode() * 509])
def test_larger_ones_are_refused(text: bytes) -> None:
    response = send(b'{"a":"%s"}' % text)

    assert problem(response) == (400, "details_too_large")
    assert response.json()["errors"][0]["field"] == "details"
    assert not ScoreEvent.objects.exists()


@pytest.mark.parametrize(
    "details",
    [
        rb'{"a":"\u0000"}',
        rb'{"a\u0000":1}',
        rb'{"a":"\ud800"}',
        rb'{"\udfff":1}',
        rb'{"a":["\ud83d"]}',
        b"[]",
        b'"text"',
        b"5",
        b'{"a":NaN}',
        b'{"a":[-Infinity]}',
    ],
)
def test_what_can_not_be_kept_is_refused(details: bytes) -> None:
    response = send(details)

    assert problem(response) == (400, "invalid")
    assert response.json()["errors"][0]["field"] == "details"


@pytest.mark.parametrize("text", [rb"\\u0000", rb"\\\\u0000", rb"\\ud800"])
def test_a_backslash_before_the_letter_u_is_no_such_character(text: bytes) -> None:
    assert send(b'{"a":"%s"}' % text).status_code == 202
    assert shown()["a"].encode() == text.replace(rb"\\", b"\\")


@pytest.mark.parametrize("number", [b"1e400", b"-1e400", b"1e308", b"123456789012345678901234567890"])
def test_huge_numbers_are_kept_or_refused_but_never_an_error_of_ours(number: bytes) -> None:
    assert send(b'{"a":%s}' % number).status_code in (202, 400)


@pytest.mark.parametrize(("depth", "status"), [(500, 202), (950, 400), (100_000, 400)])
def test_deep_nesting_is_taken_within_a_kilobyte_and_never_an_error_of_ours(depth: int, status: int) -> None:
    assert send(b'{"a":%s}' % (b"[" * depth + b"]" * depth)).status_code == status


def test_in_a_batch_only_the_score_with_bad_details_is_refused() -> None:
    LeaderboardFactory.create()
    items = [
        {"player_id": p, "match_id": "m1", "points": 1, "details": d}
        for p, d in (("ann", {"a": "x" * 2000}), ("bob", RED), ("eve", {"a": "NAN"}))
    ]

    body = msgspec.json.encode({"scores": items}).replace(b'"NAN"', b"NaN")

    answer = post("scores/batch", body, authorization("submit")).json()

    assert [one.get("code") for one in answer["results"]] == ["details_too_large", None, "invalid"]
    assert ScoreEvent.objects.get().details == RED
