"""The write API: each answer and each error as API.md says, and never a 500."""

from typing import Any

import pytest
from django.test import Client

from scoring.models import ScoreEvent
from tests.api import authorization, post, problem
from tests.factories import LeaderboardFactory

pytestmark = pytest.mark.django_db

ANN = {"player_id": "ann", "match_id": "m1", "points": 10}
TWO_MIB = 2 * 1024 * 1024


@pytest.fixture
def key() -> dict[str, str]:
    LeaderboardFactory.create()
    return authorization("submit")


def raw(field: str, value: bytes) -> bytes:
    """A score whose `field` is written exactly so."""
    values = {"player_id": b'"ann"', "match_id": b'"m1"', "points": b"10", field: value}
    return b"{" + b",".join(b'"%s":%s' % (name.encode(), text) for name, text in values.items()) + b"}"


def test_a_score_is_accepted(key: dict[str, str]) -> None:
    response = post("scores", ANN, key)

    assert response.status_code == 202
    answer = response.json()
    assert isinstance(answer.pop("accept_no"), int)
    assert answer == {
        **{k: ANN[k] for k in ("player_id", "match_id")},
        "duplicate": False,
        "leaderboard": "quiz",
        "totals": {"all": 10},
    }


def test_a_repeat_is_a_duplicate_with_the_first_number(key: dict[str, str]) -> None:
    first = post("scores", ANN, key).json()

    again = post("scores", ANN, key)

    assert again.status_code == 202
    assert again.json() == {**first, "duplicate": True}


def test_other_points_for_the_same_match_are_a_conflict(key: dict[str, str]) -> None:
    post("scores", ANN, key)

    assert problem(post("scores", {**ANN, "points": 11}, key)) == (409, "match_conflict")
    assert ScoreEvent.objects.get().points == 10


@pytest.mark.parametrize(
    ("body", "status", "code", "field"),
    [
        (raw("points", b"NaN"), 400, "invalid", "points"),
        (raw("points", b"1e400"), 400, "invalid", "points"),
        (raw("points", b"100001"), 400, "points_out_of_range", "points"),
        (raw("points", b"-1"), 400, "points_out_of_range", "points"),
        (raw("player_id", rb'"a\n"'), 400, "invalid", "player_id"),
        (raw("player_id", b"null"), 400, "invalid", "player_id"),
        (raw("leaderboard", b'"nope"'), 404, "leaderboard_not_found", "leaderboard"),
        (raw("leaderboard", rb'"\ud800"'), 404, "leaderboard_not_found", "leaderboard"),
        (raw("leaderboard", b"5"), 400, "invalid", "leaderboard"),
        (raw("occurred_at", b'"2026-10-19T20:15:00"'), 400, "invalid", "occurred_at"),
        (raw("occurred_at", b'"2999-01-01T00:00:00Z"'), 400, "in_the_future", "occurred_at"),
        (raw("segments", b'{"City":"x"}'), 400, "invalid", "segments"),
        (b'{"player_id":"ann","points":1}', 400, "required", "match_id"),
    ],
)
def test_a_bad_score_is_refused_with_its_field(
    key: dict[str, str], body: bytes, status: int, code: str, field: str
) -> None:
    response = post("scores", body, key)

    assert problem(response) == (status, code)
    assert [(e["index"], e["field"], e["code"]) for e in response.json()["errors"]] == [(None, field, code)]
    assert not ScoreEvent.objects.exists()


@pytest.mark.parametrize("path", ["scores", "scores/batch"])
@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"scores":[{', b'{"scores":[null,{', b"{" * 5, b"\x00" * 9])
def test_broken_json_is_refused(key: dict[str, str], path: str, body: bytes) -> None:
    assert problem(post(path, body, key)) == (400, "malformed_json")


@pytest.mark.parametrize("path", ["scores", "scores/batch"])
def test_deep_nesting_is_refused(key: dict[str, str], path: str) -> None:
    assert problem(post(path, b'{"scores":' + b"[" * 500_000, key))[0] == 400
    assert problem(post(path, b'{"extra":' + b"[" * 100_000 + b"]" * 100_000 + b"}", key))[0] == 400


@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"scores":5}', b"null"])
def test_a_batch_that_is_no_list_of_scores_is_refused(key: dict[str, str], body: bytes) -> None:
    assert problem(post("scores/batch", body, key)) == (400, "invalid")


@pytest.mark.parametrize("path", ["scores", "scores/batch"])
def test_a_body_above_2_mib_is_refused(key: dict[str, str], path: str) -> None:
    assert problem(post(path, b'{"scores":[' + b" " * 3 * 1024 * 1024 + b"]}", key)) == (413, "body_too_large")


def test_a_body_of_2_mib_is_taken(key: dict[str, str]) -> None:
    body = b'{"scores":[%s]}' % raw("points", b"10")
    assert post("scores/batch", body + b" " * (TWO_MIB - len(body)), key).status_code == 202


def test_more_than_5000_scores_are_refused_and_none_stored(key: dict[str, str]) -> None:
    scores = [{**ANN, "match_id": f"m{n}"} for n in range(5001)]

    assert problem(post("scores/batch", {"scores": scores}, key)) == (413, "batch_too_large")
    assert not ScoreEvent.objects.exists()


def test_5000_scores_are_taken(key: dict[str, str]) -> None:
    scores = [{**ANN, "match_id": f"m{n}"} for n in range(5000)]

    answer = post("scores/batch?results=rejected", {"scores": scores}, key)

    assert (answer.status_code, answer.json()) == (
        202,
        {"accepted": 5000, "duplicates": 0, "rejected": 0, "results": []},
    )


def mixed_batch() -> bytes:
    items = [
        raw("points", b"NaN"),
        raw("match_id", b'"m2"'),
        raw("leaderboard", b'"nope"'),
        b"[]",
        raw("match_id", b'"m2"'),
    ]
    return b'{"scores":[%s]}' % b",".join(items)


def test_of_a_batch_good_scores_are_stored_and_bad_ones_named(key: dict[str, str]) -> None:
    response = post("scores/batch", mixed_batch(), key)

    answer = response.json()
    assert response.status_code == 202
    assert [answer[count] for count in ("accepted", "duplicates", "rejected")] == [1, 1, 3]
    results = answer["results"]
    assert [one["index"] for one in results] == [0, 1, 2, 3, 4]
    assert [one["status"] for one in results] == ["rejected", "accepted", "rejected", "rejected", "duplicate"]
    assert (results[0]["field"], results[2]["code"]) == ("points", "leaderboard_not_found")
    assert results[1]["totals"] == results[4]["totals"] == {"all": 10}
    assert ScoreEvent.objects.get().match_id == "m2"


def test_a_batch_may_be_answered_with_the_rejected_only(key: dict[str, str]) -> None:
    answer = post("scores/batch?results=rejected", mixed_batch(), key).json()

    assert [answer[count] for count in ("accepted", "duplicates", "rejected")] == [1, 1, 3]
    assert [one["index"] for one in answer["results"]] == [0, 2, 3]


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete"])
@pytest.mark.parametrize("path", ["/v1/scores", "/v1/scores/batch"])
def test_scores_are_only_posted(key: dict[str, str], method: str, path: str) -> None:
    response: Any = getattr(Client(), method)(path, headers=key)

    assert problem(response) == (405, "method_not_allowed")
    assert "POST" in response["Allow"]


def test_without_a_leaderboard_there_must_be_only_one_to_choose(key: dict[str, str]) -> None:
    LeaderboardFactory.create(slug="race")

    assert problem(post("scores", ANN, key)) == (400, "required")
    assert post("scores", {**ANN, "leaderboard": "race"}, key).json()["leaderboard"] == "race"
    assert post("scores", ANN, authorization("submit", leaderboards=("quiz",))).json()["leaderboard"] == "quiz"
