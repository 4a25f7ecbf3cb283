"""Redis away: scores are accepted, reads say when to come back, and the boards catch up."""

from datetime import timedelta

import pytest
import redis

from boards import store
from boards.apply import apply_events
from scoring.models import OutboxEvent
from tests.api import authorization, get, post, problem
from tests.boards_truth import differences, shown_boards
from tests.delivery import deliver, relay
from tests.factories import NOW, LeaderboardFactory, accept_all, score

pytestmark = pytest.mark.django_db

BOARD = "leaderboards/quiz:all:global"
SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def quiz() -> None:
    LeaderboardFactory.create(min_points=-100, scopes=["city"])


@pytest.mark.usefixtures("redis_away")
def test_scores_are_accepted_and_reads_say_when_to_come_back() -> None:
    key = authorization("submit")

    assert post("scores", {"player_id": "ann", "match_id": "m1", "points": 10}, key).status_code == 202
    for response in (
        get(f"{BOARD}/top"),
        get(f"{BOARD}/players/ann"),
        post(f"{BOARD}/ranks", {"player_ids": ["ann"]}),
    ):
        assert problem(response) == (503, "boards_unavailable")


def test_what_could_not_be_applied_is_applied_when_redis_is_back(request: pytest.FixtureRequest) -> None:
    accept_all(score("ann", 10, segments={"city": "hyd"}), score("bob", -5, name="Bob"))
    (event_ids,) = relay()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "_send", away)
        apply_events(event_ids, lambda: NOW)
        assert relay() == []

    store.forget_server()
    assert set(OutboxEvent.objects.values_list("attempts", flat=True)) == {0}
    deliver(NOW + SECOND)
    assert not OutboxEvent.objects.waiting()
    assert differences() == []
    assert get(f"{BOARD}/players/bob").json()["name"] == "Bob"


def away(client: object, calls: object) -> None:
    raise redis.ConnectionError("away")


def test_an_outage_of_any_length_sets_nothing_aside() -> None:
    accept_all(score("ann", 10))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "_send", away)
        for seconds in range(50):
            store.forget_server()
            deliver(NOW + seconds * SECOND)

    store.forget_server()
    assert not OutboxEvent.objects.set_aside()
    deliver(NOW + 60 * SECOND)
    assert differences() == []


def test_a_task_delivered_twice_during_an_outage_loses_nothing() -> None:
    accept_all(score("ann", 10))
    (event_ids,) = relay()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "_send", away)
        apply_events(event_ids, lambda: NOW)
        store.forget_server()
        apply_events(event_ids, lambda: NOW)

    store.forget_server()
    deliver(NOW + SECOND)
    assert differences() == []


@pytest.mark.parametrize("times", [2, 3])
def test_events_applied_again_and_in_any_order_change_nothing(times: int) -> None:
    accept_all(score("ann", 10), score("bob", 20))
    accept_all(score("ann", -3))
    ids = [event_id for event_ids in relay() for event_id in event_ids]

    for _ in range(times):
        OutboxEvent.objects.update(applied_at=None)
        for event_id in reversed(ids):
            apply_events([event_id], lambda: NOW)
        assert differences() == []


def test_what_a_broker_does_not_take_is_ready_again_at_once_all_of_it() -> None:
    from boards.relay import relay_events

    for player_id in ("ann", "bob", "eve"):
        accept_all(score(player_id))

    def refuse(event_ids: list[int]) -> None:
        raise OSError("no broker")

    for _ in range(5):
        with pytest.raises(OSError, match="no broker"):
            relay_events("live", send=refuse, clock=lambda: NOW, lease=30 * SECOND, max_attempts=3, batch_players=1)

    assert not OutboxEvent.objects.set_aside()
    assert set(OutboxEvent.objects.values_list("attempts", flat=True)) == {0}
    deliver()
    assert shown_boards("quiz").keys() == {"quiz:all:global"}
    assert differences() == []


def test_a_redis_that_was_emptied_gets_the_scripts_and_the_next_rows() -> None:
    accept_all(score("ann", 10))
    deliver()
    store._server().client.script_flush()

    accept_all(score("ann", 5))
    deliver()

    assert differences() == []
