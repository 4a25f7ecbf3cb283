"""POST /v1/corrections and GET /v1/corrections/{id}: what comes back, and what is refused with which words."""

from typing import Any

import pytest

from scoring.models import Correction
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


def test_an_adjustment_answers_with_the_new_totals(moderator: dict[str, str]) -> None:
    response = post("corrections", ADJUST, moderator)

    assert response.status_code == 202
    correction = Correction.objects.get()
    assert response.json() == {
        "id": correction.pk,
        "kind": "adjust",
        "duplicate": False,
        "state": "done",
        "players": 1,
        "leaderboard": "quiz",
        "player_id": "ann",
        "match_id": correction.match_id,
        "totals": {"all": 10},
    }
    assert correction.match_id.startswith("correction:")
    assert (correction.points, correction.reason) == (-20, "bot")
    assert correction.made_by.startswith("API key ")
    assert get(f"corrections/{correction.pk}", moderator).json() == response.json()


def test_a_void_for_one_answers_with_the_totals_and_for_all_with_the_changes(moderator: dict[str, str]) -> None:
    one = post("corrections", {**VOID, "player_id": "ann"}, moderator).json()
    everyone = post("corrections", VOID, moderator).json()

    assert (one["player_id"], one["match_id"], one["totals"]) == ("ann", "m1", {"all": None})
    assert "changes" not in one
    assert everyone["changes"] == [{"player_id": "bob", "period": "all", "points_before": 5, "points_after": None}]
    assert everyone.keys().isdisjoint({"player_id", "totals", "problem"})
    assert (everyone["players"], everyone["state"], everyone["duplicate"]) == (1, "done", False)


@pytest.mark.parametrize("body", [ADJUST, VOID, {**VOID, "player_id": "ann"}], ids=["adjust", "void", "void for one"])
def test_a_correction_is_made_once_under_its_key(moderator: dict[str, str], body: dict[str, Any]) -> None:
    keyed = {**body, "idempotency_key": "case:17"}
    first = post("corrections", keyed, moderator).json()
    again = post("corrections", {**keyed, "reason": "said otherwise"}, moderator)

    assert again.status_code == 202
    assert again.json() == {**first, "duplicate": True}
    assert Correction.objects.count() == 1


@pytest.mark.parametrize(
    "other",
    [
        {"points": -21},
        {"player_id": "bob"},
        {"reopen": True},
        {"occurred_at": "2026-10-19T14:45:00Z"},
        {"kind": "void", "points": None, "player_id": None, "match_id": "m1"},
    ],
    ids=str,
)
def test_a_key_that_was_used_for_something_else_is_a_conflict(moderator: dict[str, str], other: dict[str, Any]) -> None:
    keyed = {**ADJUST, "idempotency_key": "case:17"}
    post("corrections", keyed, moderator)
    body = {name: value for name, value in {**keyed, **other}.items() if value is not None}

    assert problem(post("corrections", body, moderator)) == (409, "correction_conflict")
    assert total("ann")[0] == 10


@pytest.mark.parametrize("text", ["日本語 🎮 Ünï", "a" * 500, "שלום"])
def test_a_reason_in_any_script_is_kept(moderator: dict[str, str], text: str) -> None:
    assert post("corrections", {**ADJUST, "reason": text}, moderator).status_code == 202
    assert Correction.objects.get().reason == text


@pytest.mark.parametrize("scope", ["submit", "read", "ops"])
def test_other_scopes_may_not_correct(scope: str) -> None:
    key = authorization(scope)
    assert problem(post("corrections", ADJUST, key)) == (403, "wrong_scope")
    assert problem(get("corrections/1", key)) == (403, "wrong_scope")
    assert problem(post("corrections", ADJUST)) == (401, "not_authenticated")


def test_a_key_for_some_leaderboards_corrects_these_alone(moderator: dict[str, str]) -> None:
    key = authorization("moderate", leaderboards=("race",))
    correction = post("corrections", ADJUST, moderator).json()["id"]
    flag = post("players/ann/flag", {"reason": "x"}, moderator).json()["id"]

    assert problem(post("corrections", ADJUST, key)) == (403, "leaderboard_not_allowed")
    assert problem(get(f"corrections/{correction}", key)) == (403, "leaderboard_not_allowed")
    assert problem(get(f"corrections/{flag}", key)) == (403, "leaderboard_not_allowed")
    own = post("corrections", {**VOID, "leaderboard": "race"}, key).json()
    assert get(f"corrections/{own['id']}", key).status_code == 200


def test_a_void_that_changes_nothing_answers_with_the_totals_as_they_are(moderator: dict[str, str]) -> None:
    accept_all(score("ann", 3, "worse", leaderboard="race"))

    answer = post("corrections", {**VOID, "leaderboard": "race", "match_id": "worse", "player_id": "ann"}, moderator)

    assert answer.json()["totals"] == {"all": 9}
