"""Flag, unflag, merge and erase by HTTP: what comes back, and what is refused with which words."""

from typing import Any

import pytest

from scoring.models import Correction, Erasure, Player, ReviewState
from tests.api import authorization, delete, get, post, problem
from tests.factories import LeaderboardFactory, accept_all, score, total

pytestmark = pytest.mark.django_db

WHY = {"reason": "bot"}
CALLS = ["flag", "unflag", "merge"]
ODD_IDS = ["nobody", "a%00b", "%F0%9F%8E%AE", "%FF", "a%20b", "x" * 65, "x" * 3_000, "%0A", "a%27%3B--"]


@pytest.fixture(autouse=True)
def moderator() -> dict[str, str]:
    LeaderboardFactory.create()
    LeaderboardFactory.create(slug="race", operator="best", scale=2)
    accept_all(score("ann", 30, "m1", name="Ann"), score("bob", 5, "m1"), score("bob", 7, "m2"))
    return authorization("moderate")


def body_of(call: str) -> dict[str, Any]:
    return {**WHY, "into": "bob", "keep": "into"} if call == "merge" else WHY


def test_flag_and_unflag_answer_with_the_correction(moderator: dict[str, str]) -> None:
    flagged = post("players/ann/flag", WHY, moderator)
    again = post("players/ann/flag", WHY, moderator)
    back = post("players/ann/unflag", {**WHY, "idempotency_key": "k"}, moderator)
    repeated = post("players/ann/unflag", {**WHY, "idempotency_key": "k"}, moderator)

    assert flagged.status_code == 202
    assert flagged.json() == {
        "id": flagged.json()["id"],
        "kind": "flag",
        "duplicate": False,
        "state": "done",
        "players": 1,
        "player_id": "ann",
        "changes": [],
    }
    assert (again.json()["players"], again.json()["duplicate"]) == (0, False)
    assert repeated.json() == {**back.json(), "duplicate": True}
    assert Player.objects.get(player_id="ann").review_state == ReviewState.CLEAR


def test_a_merge_answers_with_the_changes_of_both(moderator: dict[str, str]) -> None:
    answer = post("players/ann/merge", {**WHY, "into": "bob", "keep": "from"}, moderator)

    assert answer.status_code == 202
    assert sorted((c["player_id"], c["points_before"], c["points_after"]) for c in answer.json()["changes"]) == [
        ("ann", 30, None),
        ("bob", 12, 37),
    ]


def test_matches_that_both_played_are_named_and_must_be_decided(moderator: dict[str, str]) -> None:
    accept_all(score("ann", 1, "m2"), score("ann", 1, leaderboard="race"))
    undecided = post("players/ann/merge", {**WHY, "into": "bob"}, moderator)

    assert problem(undecided) == (409, "both_played")
    assert [(error["field"], error["code"]) for error in undecided.json()["errors"]] == [("keep", "both_played")] * 2
    assert "match m1, ann has 30 points and bob has 5" in undecided.json()["errors"][0]["detail"]
    assert not Correction.objects.exists()

    partly = {"keep_in": [{"leaderboard": "quiz", "match_id": "m1", "keep": "from"}]}
    assert len(post("players/ann/merge", {**WHY, "into": "bob", **partly}, moderator).json()["errors"]) == 1
    decided = post("players/ann/merge", {**WHY, "into": "bob", "keep": "into", **partly}, moderator)
    assert decided.status_code == 202
    assert total("bob")[0] == 30 + 7


def test_scores_for_the_account_that_was_given_up_count_for_the_other(moderator: dict[str, str]) -> None:
    post("players/ann/merge", body_of("merge"), moderator)
    key = authorization("submit")

    sent = post("scores", {"leaderboard": "quiz", "player_id": "ann", "match_id": "m3", "points": 1}, key).json()
    again = post("scores", {"leaderboard": "quiz", "player_id": "bob", "match_id": "m3", "points": 1}, key).json()

    assert (sent["player_id"], sent["totals"]) == ("ann", {"all": 13})
    assert (again["duplicate"], again["accept_no"]) == (True, sent["accept_no"])
    assert Player.objects.get(player_id="bob").name == ""


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("ann", {"into": "ann"}, "into"),
        ("ann", {}, "into"),
        ("ann", {"into": "a b"}, "into"),
        ("ann", {"into": "bob", "keep": "both"}, "keep"),
        ("ann", {"into": "bob", "keep_in": {"m1": "from"}}, "keep_in"),
        ("ann", {"into": "bob", "keep_in": [{"leaderboard": "quiz", "match_id": "m1"}]}, "keep"),
        ("ann", {"into": "bob", "keeps": "from"}, "keeps"),
    ],
    ids=str,
)
def test_a_bad_merge_is_named(moderator: dict[str, str], path: str, body: dict[str, Any], field: str) -> None:
    response = post(f"players/{path}/merge", {**WHY, **body}, moderator)

    assert problem(response) == (400, "invalid")
    assert [error["field"] for error in response.json()["errors"]] == [field]
    assert not Correction.objects.exists()


def test_an_account_is_merged_once(moderator: dict[str, str]) -> None:
    accept_all(score("eve", 1))
    post("players/ann/merge", body_of("merge"), moderator)

    assert problem(post("players/ann/merge", {**WHY, "into": "eve"}, moderator)) == (400, "invalid")
    assert problem(post("players/bob/merge", {**WHY, "into": "ann"}, moderator)) == (400, "invalid")
    # Into a merged one means into what it became part of.
    assert post("players/eve/merge", {**WHY, "into": "ann"}, moderator).status_code == 202
    assert total("bob")[0] == 13


def test_an_erasure_answers_with_the_proof(moderator: dict[str, str]) -> None:
    answer = delete("players/ann?reason=she+wrote&idempotency_key=k", moderator)

    assert answer.status_code == 202
    proof = answer.json()
    assert proof.keys() == {"id", "state", "duplicate", "finished_at", "removed"}
    assert (proof["state"], proof["duplicate"], proof["finished_at"]) == ("under_way", False, None)
    assert (proof["removed"]["accounts"], proof["removed"]["events"], proof["removed"]["names"]) == (1, 1, 1)
    assert get(f"erasures/{proof['id']}", moderator).json() == proof
    again = delete("players/ann?idempotency_key=k", moderator, {"reason": "x", "idempotency_key": "k"})
    assert again.json() == {**proof, "duplicate": True}
    assert problem(delete("players/ann?reason=x", moderator)) == (404, "player_not_found")
    assert "ann" not in str(get(f"corrections/{proof['id']}", moderator).json())


def test_a_key_of_another_erasure_is_a_conflict(moderator: dict[str, str]) -> None:
    delete("players/ann?reason=x&idempotency_key=k", moderator)

    assert problem(delete("players/bob?reason=x&idempotency_key=k", moderator)) == (409, "correction_conflict")
    assert problem(post("players/bob/flag", {**WHY, "idempotency_key": "k"}, moderator)) == (409, "correction_conflict")
    assert Erasure.objects.count() == 1


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("", "reason", "required"),
        ("?reason=%20", "reason", "required"),
        ("?reason=a%00b", "reason", "invalid"),
        ("?reason=" + "x" * 501, "reason", "invalid"),
        ("?reason=x&idempotency_key=a+b", "idempotency_key", "invalid"),
        ("?reason=x&force=1", "force", "unknown_field"),
    ],
)
def test_an_erasure_needs_a_good_reason(moderator: dict[str, str], query: str, field: str, code: str) -> None:
    response = delete(f"players/ann{query}", moderator)

    assert problem(response) == (400, "invalid")
    assert [(error["field"], error["code"]) for error in response.json()["errors"]] == [(field, code)]
    assert Player.objects.filter(player_id="ann").exists()


@pytest.mark.parametrize("player_id", ODD_IDS, ids=lambda text: text[:12])
def test_who_does_not_exist_is_404_whatever_the_path_says(moderator: dict[str, str], player_id: str) -> None:
    for call in CALLS:
        assert problem(post(f"players/{player_id}/{call}", body_of(call), moderator)) == (404, "player_not_found")
    assert problem(delete(f"players/{player_id}?reason=x", moderator)) == (404, "player_not_found")


@pytest.mark.parametrize("call", CALLS)
def test_scopes_and_limited_keys(call: str) -> None:
    for key, expected in (
        (None, (401, "not_authenticated")),
        (authorization("submit", "read", "ops"), (403, "wrong_scope")),
        (authorization("moderate", leaderboards=("quiz",)), (403, "leaderboard_not_allowed")),
    ):
        assert problem(post(f"players/ann/{call}", body_of(call), key)) == expected
        assert problem(delete("players/ann?reason=x", key)) == expected
    assert not Correction.objects.exists()


@pytest.mark.parametrize("method", [get, delete])
@pytest.mark.parametrize("call", CALLS)
def test_other_methods_are_told_so(moderator: dict[str, str], call: str, method: Any) -> None:
    assert problem(method(f"players/ann/{call}", moderator)) == (405, "method_not_allowed")


def test_erased_players_can_not_be_reached_by_what_they_are_called_now(moderator: dict[str, str]) -> None:
    pk = Player.objects.get(player_id="ann").pk
    delete("players/ann?reason=x", moderator)
    now_called = Player.objects.get(pk=pk).player_id

    assert problem(post(f"players/{now_called}/unflag", WHY, moderator)) == (404, "player_not_found")
    assert problem(delete(f"players/{now_called}?reason=x", moderator)) == (404, "player_not_found")
