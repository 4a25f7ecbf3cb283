"""What a call costs in queries: none for a read, a fixed number for a batch, whatever its size."""

from contextlib import AbstractContextManager
from typing import Any, Protocol

import pytest

from scoring import acceptance, fitting, grants, rules
from scoring.database import fetch_all
from tests.api import authorization, get, post
from tests.delivery import deliver
from tests.factories import LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db

BOARD = "leaderboards/quiz:all:city:hyd"


class Queries(Protocol):
    def __call__(self, num: int) -> AbstractContextManager[Any]: ...


@pytest.fixture(autouse=True)
def rules_stay_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine must not make what the process knows too old in the middle of a test."""
    for snapshot in (rules.rules_snapshot, grants.grants_snapshot):
        monkeypatch.setattr(snapshot, "_max_age_seconds", 3600)


@pytest.fixture
def key() -> dict[str, str]:
    """A key for a private leaderboard on which ann and bob have scored."""
    LeaderboardFactory.create(scopes=["city"], period_kinds=["day", "week", "all"], is_public=False)
    accept_all(score("ann", segments={"city": "hyd"}), score("bob", segments={"city": "hyd"}))
    deliver()
    return authorization("read", "submit")


def test_a_warm_read_asks_the_database_nothing(key: dict[str, str], django_assert_num_queries: Queries) -> None:
    get(f"{BOARD}/top", key)

    with django_assert_num_queries(0):
        answers = [
            get(f"{BOARD}/top?n=5", key),
            get(f"{BOARD}/players/ann", key),
            post(f"{BOARD}/ranks", {"player_ids": ["ann", "bob"]}, key),
            get("leaderboards/quiz:day:global/top", key),
            get("leaderboards/quiz:nothing:global/top", key),
        ]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 404]


@pytest.mark.parametrize("count", [1, 500])
def test_a_warm_batch_is_one_statement_which_tells_the_totals_too(
    key: dict[str, str], monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Queries, count: int
) -> None:
    statements: list[str] = []

    def counted(sql: str, parameters: Any) -> list[tuple[Any, ...]]:
        statements.append(sql.partition(":")[0])
        return fetch_all(sql, parameters)

    post("scores", {"player_id": "ann", "match_id": "warm", "points": 1}, key)
    for module in (acceptance, fitting):
        monkeypatch.setattr(module, "fetch_all", counted)
    scores = [{"player_id": ("ann", "bob")[n % 2], "match_id": f"m{n}", "points": n % 3} for n in range(count)]

    # Savepoint and release, since the test has a transaction of its own; the statements go past Django.
    with django_assert_num_queries(2):
        answer = post("scores/batch", {"scores": scores}, key)

    assert answer.json()["accepted"] == count
    assert statements == ["-- accept_scores"]

    with django_assert_num_queries(2):
        again = post("scores/batch", {"scores": scores}, key)

    assert [result["totals"] for result in again.json()["results"]] == [r["totals"] for r in answer.json()["results"]]
    # What the statement finds in the ledger may not have been in its totals yet.
    assert statements[1:] == ["-- accept_scores", "-- find_events", "-- load_totals"]


@pytest.mark.parametrize(("cache_seconds", "is_fresh"), [(3600, False), (0, True)])
def test_a_page_is_read_from_redis_once_for_everyone(
    key: dict[str, str], settings: Any, cache_seconds: int, is_fresh: bool
) -> None:
    settings.TOP_CACHE_SECONDS = cache_seconds
    first = get(f"{BOARD}/top", key)
    accept_all(score("bob", 50))
    deliver()

    again = get(f"{BOARD}/top", key)

    assert (again.content != first.content) == is_fresh
    assert get(f"{BOARD}/top?n=99", key).json()["entries"][0]["points"] == 60
