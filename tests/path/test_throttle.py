"""Limits per key: counted over all processes, told in plain headers, and never in the way without Redis."""

from collections.abc import Iterator
from typing import Any

import pytest
import redis

from boards import store
from scoring.grants import forget_grants
from scoring.models import ApiKey, ScoreEvent
from tests.api import authorization, get, post, problem
from tests.factories import LeaderboardFactory

pytestmark = pytest.mark.django_db

TOP = "leaderboards/quiz:all:global/top"
LIMIT_HEADERS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")


@pytest.fixture(autouse=True)
def quiz() -> None:
    LeaderboardFactory.create()


def key(per_minute: int | None, *scopes: str) -> dict[str, str]:
    header = authorization(*(scopes or ("submit", "read")))
    ApiKey.objects.filter(requests_per_minute=None).update(requests_per_minute=per_minute)
    forget_grants()
    return header


def send(header: dict[str, str], match_id: str = "m1") -> Any:
    return post("scores", {"player_id": "ann", "match_id": match_id, "points": 1}, header)


def limits(response: Any) -> list[int]:
    return [int(response[name]) for name in LIMIT_HEADERS]


def test_a_limited_key_is_told_how_it_stands() -> None:
    header = key(3)

    answers = [limits(response) for response in (get(TOP, header), send(header), get("players/ann", header))]

    assert [(limit, remaining) for limit, remaining, _ in answers] == [(3, 2), (3, 1), (3, 0)]
    assert all(1 <= reset <= 60 for _, _, reset in answers)


def test_beyond_the_limit_it_is_told_when_to_come_back() -> None:
    header = key(2)
    for match_id in ("m1", "m2"):
        send(header, match_id)

    response = send(header, "m3")

    assert problem(response) == (429, "too_many_requests")
    assert limits(response)[:2] == [2, 0]
    assert int(response["Retry-After"]) == limits(response)[2]
    assert 1 <= int(response["Retry-After"]) <= 60
    assert response.json()["detail"] == "this API key may be used 2 times a minute"
    assert ScoreEvent.objects.count() == 2


def test_errors_count_and_carry_the_headers_too() -> None:
    header = key(5)

    for remaining, response in (
        (4, get("leaderboards/nope:all:global/top", header)),
        (3, post("scores", b"{", header)),
    ):
        assert 400 <= response.status_code < 500
        assert limits(response)[1] == remaining


def test_a_new_window_begins_when_the_old_one_has_ended(boards_redis: redis.Redis) -> None:
    header = key(1)
    assert send(header, "m1").status_code == 202
    assert send(header, "m2").status_code == 429
    (counter,) = boards_redis.keys("throttle:*")
    assert 0 < boards_redis.ttl(counter) <= 60

    boards_redis.delete(counter)

    assert send(header, "m2").status_code == 202


def test_requests_within_a_window_do_not_lengthen_it(boards_redis: redis.Redis) -> None:
    header = key(9)
    get(TOP, header)
    (counter,) = boards_redis.keys("throttle:*")
    boards_redis.expire(counter, 10)

    response = get(TOP, header)

    assert 1 <= limits(response)[2] <= 10
    assert 0 < boards_redis.ttl(counter) <= 10


def test_each_key_has_its_own_count() -> None:
    one, other = key(1), key(1)

    assert [get(TOP, header).status_code for header in (one, other, one, other)] == [200, 200, 429, 429]


@pytest.fixture
def two_processes() -> Iterator[None]:
    """Each has a client of its own."""
    yield
    store.forget_server()


@pytest.mark.usefixtures("two_processes")
def test_two_processes_share_the_count() -> None:
    header = key(2)
    statuses = []
    for _ in range(3):
        statuses.append(get(TOP, header).status_code)
        store.forget_server()

    assert statuses == [200, 200, 429]


@pytest.mark.parametrize("is_given", [True, False], ids=["key without limit", "no key"])
def test_without_a_limit_nothing_is_counted(monkeypatch: pytest.MonkeyPatch, is_given: bool) -> None:
    asked: list[str] = []
    run = store.run

    def recorded(calls: Any) -> Any:
        asked.extend(call.script for call in calls)
        return run(calls)

    given = key(None) if is_given else None
    monkeypatch.setattr(store, "run", recorded)

    response = get(TOP, given)

    assert response.status_code == 200
    assert not any(name in response for name in LIMIT_HEADERS)
    assert asked == ["read_top"]


@pytest.mark.usefixtures("redis_away")
def test_without_redis_no_score_is_refused() -> None:
    header = key(1)

    responses = [send(header, f"m{n}") for n in range(3)]

    assert [response.status_code for response in responses] == [202] * 3
    assert "RateLimit-Limit" not in responses[0]


def test_who_may_not_do_a_thing_is_told_so_rather_than_to_come_back() -> None:
    header = key(1, "read")

    assert [problem(send(header)) for _ in range(2)] == [(403, "wrong_scope")] * 2
