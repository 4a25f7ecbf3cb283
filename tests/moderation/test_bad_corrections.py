"""Corrections that can't be made, by HTTP: the answer names what is wrong, and nothing has changed."""

from typing import Any

import pytest

from scoring.models import Correction, Period, ScoreEvent
from tests.api import authorization, get, post, problem
from tests.factories import LeaderboardFactory, accept_all, score, total

pytestmark = pytest.mark.django_db

ADJUST: dict[str, Any] = {"leaderboard": "quiz", "kind": "adjust", "player_id": "ann", "points": -20, "reason": "bot"}
VOID: dict[str, Any] = {"leaderboard": "quiz", "kind": "void", "match_id": "m1", "reason": "bot"}


@pytest.fixture(autouse=True)
def moderator() -> dict[str, str]:
    LeaderboardFactory.create()
    LeaderboardFactory.create(slug="race", operator="best")
    accept_all(score("ann", 30, "m1"), score("bob", 5, "m1"), score("ann", 9, "m1", leaderboard="race"))
    return authorization("moderate")


@pytest.mark.parametrize(
    ("body", "change", "field", "code"),
    [
        (ADJUST, {"reason": None}, "reason", "required"),
        (ADJUST, {"reason": " \t"}, "reason", "required"),
        (ADJUST, {"reason": "x" * 501}, "reason", "invalid"),
        (ADJUST, {"reason": "a\x00b"}, "reason", "invalid"),
        (ADJUST, {"reason": "a\nb"}, "reason", "invalid"),
        (ADJUST, {"reason": 7}, "reason", "invalid"),
        (ADJUST, {"kind": "ban"}, "kind", "invalid"),
        (ADJUST, {"kind": None}, "kind", "required"),
        (ADJUST, {"leaderboard": None}, "leaderboard", "required"),
        (ADJUST, {"leaderboard": ["quiz"]}, "leaderboard", "invalid"),
        (ADJUST, {"player_id": None}, "player_id", "required"),
        (ADJUST, {"player_id": "a b"}, "player_id", "invalid"),
        (ADJUST, {"player_id": "x" * 65}, "player_id", "invalid"),
        (ADJUST, {"player_id": "a\x00"}, "player_id", "invalid"),
        (ADJUST, {"points": None}, "points", "required"),
        (ADJUST, {"points": 0}, "points", "invalid"),
        (ADJUST, {"points": 0.5}, "points", "invalid"),
        (ADJUST, {"points": "many"}, "points", "invalid"),
        (ADJUST, {"points": True}, "points", "invalid"),
        (ADJUST, {"points": 10**30}, "points", "invalid"),
        (ADJUST, {"match_id": "m1"}, "match_id", "invalid"),
        (ADJUST, {"leaderboard": "race"}, "kind", "invalid"),
        (ADJUST, {"occurred_at": "2026-10-19"}, "occurred_at", "invalid"),
        (ADJUST, {"occurred_at": "2126-10-19T00:00:00Z"}, "occurred_at", "invalid"),
        (ADJUST, {"reopen": "yes"}, "reopen", "invalid"),
        (ADJUST, {"idempotency_key": "a b"}, "idempotency_key", "invalid"),
        (VOID, {"match_id": None}, "match_id", "required"),
        (VOID, {"match_id": ""}, "match_id", "invalid"),
        (VOID, {"points": 5}, "points", "invalid"),
        (VOID, {"occurred_at": "2026-10-19T14:45:00Z"}, "occurred_at", "invalid"),
        # Misspelt, it would void the match for everybody.
        (VOID, {"playerid": "ann"}, "playerid", "unknown_field"),
    ],
    ids=str,
)
def test_what_is_wrong_is_named_and_nothing_changes(
    moderator: dict[str, str], body: dict[str, Any], change: dict[str, Any], field: str, code: str
) -> None:
    changed = {name: value for name, value in {**body, **change}.items() if value is not None}

    response = post("corrections", changed, moderator)

    assert problem(response) == (400, "invalid")
    (error,) = response.json()["errors"]
    assert (error["field"], error["code"]) == (field, code)
    assert not Correction.objects.exists()
    assert not ScoreEvent.objects.filter(voided_at__isnull=False).exists()


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff", b'{"reason": "\\ud800"', b'{"points": NaN}', '{"reason": "é'.encode("latin-1")],
    ids=repr,
)
def test_what_is_no_json_is_told_so(moderator: dict[str, str], body: bytes) -> None:
    assert problem(post("corrections", body, moderator)) == (400, "malformed_json")


@pytest.mark.parametrize("body", [b"[]", b"null", b'"text"', b"7"])
def test_a_body_that_is_no_object_is_invalid(moderator: dict[str, str], body: bytes) -> None:
    assert problem(post("corrections", body, moderator)) == (400, "invalid")


@pytest.mark.parametrize("points", ["1e400", "1e-400", "-1e5000", "9" * 400], ids=lambda text: text[:8])
def test_monstrous_points_are_invalid(moderator: dict[str, str], points: str) -> None:
    body = b'{"leaderboard":"quiz","kind":"adjust","player_id":"ann","reason":"x","points":' + points.encode() + b"}"

    assert problem(post("corrections", body, moderator))[0] == 400
    assert total("ann")[0] == 30


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"leaderboard": "chess"}, 404, "leaderboard_not_found"),
        ({"leaderboard": "a\x00"}, 404, "leaderboard_not_found"),
        ({"player_id": "nobody"}, 404, "player_not_found"),
        ({"points": -999_999}, 400, "points_out_of_range"),
        ({"kind": "void", "points": None, "match_id": "m9"}, 404, "match_not_found"),
        ({"kind": "void", "points": None, "match_id": "m1", "player_id": "eve"}, 404, "player_not_found"),
    ],
    ids=str,
)
def test_what_can_not_be_done_has_its_code(
    moderator: dict[str, str], change: dict[str, Any], status: int, code: str
) -> None:
    body = {name: value for name, value in {**ADJUST, **change}.items() if value is not None}

    assert problem(post("corrections", body, moderator)) == (status, code)
    assert not Correction.objects.exists()
    assert Period.objects.count() == 2


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"])
def test_a_score_from_the_edge_of_the_calendar_is_refused_or_its_match_can_be_voided(
    moderator: dict[str, str], moment: str
) -> None:
    key = authorization("submit")
    sent = {"leaderboard": "quiz", "player_id": "ann", "match_id": "m1", "points": 1, "occurred_at": moment}
    edge = post("scores", {**sent, "player_id": "eve"}, key)
    if edge.status_code != 202:
        assert problem(edge)[0] in (400, 409)
    adjusted = post("corrections", {**ADJUST, "occurred_at": moment}, moderator)
    if adjusted.status_code != 202:
        assert problem(adjusted) == (400, "invalid")

    assert post("corrections", VOID, moderator).status_code == 202
    if adjusted.status_code == 202:
        body = {**VOID, "match_id": adjusted.json()["match_id"]}
        assert post("corrections", body, moderator).status_code == 202


@pytest.mark.parametrize("path", ["corrections", "erasures"])
@pytest.mark.parametrize("number", ["0", "999999", "9" * 19, "9" * 400])
def test_numbers_that_lead_nowhere_are_404(moderator: dict[str, str], path: str, number: str) -> None:
    status, code = problem(get(f"{path}/{number}", moderator))
    assert status == 404
    assert code in ("correction_not_found", "erasure_not_found")


@pytest.mark.parametrize("number", ["-1", "x", "%00", "1/2", "9" * 5_000])
def test_what_is_no_number_is_404(moderator: dict[str, str], number: str) -> None:
    assert problem(get(f"corrections/{number}", moderator)) == (404, "not_found")
