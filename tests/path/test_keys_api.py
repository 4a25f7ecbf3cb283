"""API keys: what each may do, and what callers without a good one are told."""

from datetime import timedelta

import pytest
from django.utils import timezone

from scoring import grants
from scoring.grants import forget_grants
from scoring.models import ApiKey, ScoreEvent
from tests.api import authorization, get, post, problem
from tests.factories import LeaderboardFactory

pytestmark = pytest.mark.django_db

ANN = {"player_id": "ann", "match_id": "m1", "points": 10, "leaderboard": "quiz"}
TOP = "leaderboards/quiz:all:global/top"


@pytest.fixture(autouse=True)
def quiz() -> None:
    LeaderboardFactory.create()
    LeaderboardFactory.create(slug="race")


@pytest.mark.parametrize("path", ["scores", "scores/batch"])
@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Api-Key",
        "Api-Key ",
        "Api-Key nonsense",
        "Api-Key abcdefgh.abcdefgh",
        "Bearer abcdefgh.abcdefgh",
        "Basic YTpi",
        "Api-Key \xff\xfe",
        "Api-Key " + "x" * 5000,
    ],
)
def test_no_key_or_a_wrong_one_is_401(path: str, header: str | None) -> None:
    response = post(path, ANN, None if header is None else {"Authorization": header})

    assert problem(response) == (401, "not_authenticated")
    assert not ScoreEvent.objects.exists()


def test_a_key_is_good_until_it_is_revoked() -> None:
    key = authorization("submit")
    assert post("scores", ANN, key).status_code == 202

    ApiKey.objects.update(revoked=True)
    forget_grants()

    assert problem(post("scores", ANN, key)) == (401, "not_authenticated")


def test_a_key_is_good_until_it_expires_however_long_it_is_remembered() -> None:
    key = authorization("submit")
    ApiKey.objects.update(expiry_date=timezone.now() + timedelta(hours=1))
    assert post("scores", ANN, key).status_code == 202

    ApiKey.objects.update(expiry_date=timezone.now() - timedelta(seconds=1))
    forget_grants()

    assert problem(post("scores", ANN, key)) == (401, "not_authenticated")


def test_the_scheme_may_be_written_in_any_case() -> None:
    key = authorization("submit")["Authorization"].removeprefix("Api-Key ")

    assert post("scores", ANN, {"Authorization": f"api-key {key}"}).status_code == 202


@pytest.mark.parametrize("path", ["scores", "scores/batch"])
@pytest.mark.parametrize("scope", ["read", "moderate", "ops"])
def test_a_key_of_another_scope_is_403(path: str, scope: str) -> None:
    assert problem(post(path, ANN, authorization(scope))) == (403, "wrong_scope")


def test_a_key_is_judged_before_the_body_is() -> None:
    assert problem(post("scores", b"{", authorization("read"))) == (403, "wrong_scope")
    assert problem(post("scores", b"{")) == (401, "not_authenticated")


def test_a_key_limited_to_another_leaderboard_is_403() -> None:
    key = authorization("submit", leaderboards=("race",))

    assert problem(post("scores", ANN, key)) == (403, "leaderboard_not_allowed")
    answer = post("scores/batch", {"scores": [ANN, {**ANN, "leaderboard": "race"}]}, key).json()
    assert [one.get("code") for one in answer["results"]] == ["leaderboard_not_allowed", None]


def test_a_public_leaderboard_is_read_without_a_key() -> None:
    assert get(TOP).status_code == 200


def test_a_wrong_key_is_refused_where_none_was_needed() -> None:
    assert problem(get(TOP, {"Authorization": "Api-Key nonsense"})) == (401, "not_authenticated")


@pytest.mark.parametrize(
    ("scopes", "leaderboards", "expected"),
    [
        (("read",), (), 200),
        (("read",), ("secret",), 200),
        (("read",), ("quiz",), (403, "leaderboard_not_allowed")),
        (("submit",), (), (403, "wrong_scope")),
        ((), (), (401, "not_authenticated")),
    ],
)
@pytest.mark.parametrize("read", ["top", "ranks", "player"])
def test_a_private_leaderboard_needs_a_key_to_read_it(
    scopes: tuple[str, ...], leaderboards: tuple[str, ...], expected: int | tuple[int, str], read: str
) -> None:
    LeaderboardFactory.create(slug="secret", is_public=False)
    key = authorization(*scopes, leaderboards=leaderboards) if scopes else None
    board = "leaderboards/secret:all:global"
    if read == "top":
        response = get(f"{board}/top", key)
    elif read == "ranks":
        response = post(f"{board}/ranks", {"player_ids": ["ann"]}, key)
    else:
        response = get(f"{board}/players/ann", key)

    if isinstance(expected, tuple):
        assert problem(response) == expected
    elif read == "player":
        assert problem(response) == (404, "player_not_ranked")
    else:
        assert response.status_code == expected


def test_a_key_of_this_moment_is_looked_for_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grants.grants_snapshot, "_max_age_seconds", 3600)
    monkeypatch.setattr(grants, "LOOK_AGAIN_SECONDS", 0)
    post("scores", ANN, {"Authorization": "Api-Key nonsense"})

    # Made by another process: this one is not told.
    _, key = ApiKey.objects.create_key(name="new", scopes=["submit"])

    assert post("scores", ANN, {"Authorization": f"Api-Key {key}"}).status_code == 202
