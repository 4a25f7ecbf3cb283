"""The outbox: claims are leases, each to one relay; what fails waits longer each time; nothing leaves before success."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction

from scoring import outbox
from scoring.models import OutboxEvent
from tests.factories import NOW, OutboxEventFactory

pytestmark = pytest.mark.django_db

LEASE = timedelta(seconds=30)
SECOND = timedelta(seconds=1)


def claimed(queue: str = "live", seconds: int = 0, limit: int = 100) -> list[int]:
    return [claim.event_id for claim in outbox.claim(queue, NOW + seconds * SECOND, LEASE, limit)]


def events(count: int) -> list[int]:
    return [event.pk for event in OutboxEventFactory.create_batch(count)]


def test_a_claim_takes_the_oldest_first_and_tells_their_players() -> None:
    first, second, third = events(3)
    OutboxEvent.objects.filter(pk=second).update(player_ids=[1, 2, 3], player_count=3)

    assert outbox.claim("live", NOW, LEASE, 2) == [outbox.Claim(first, 1), outbox.Claim(second, 3)]
    assert claimed() == [third]


def test_what_is_leased_is_ready_again_when_the_lease_is_over() -> None:
    ids = events(2)

    assert claimed() == ids
    assert claimed(seconds=29) == []
    assert claimed(seconds=30) == ids
    assert set(OutboxEvent.objects.values_list("attempts", flat=True)) == {2}


def test_queues_are_apart() -> None:
    correction = OutboxEventFactory.create(queue="corrections")

    assert claimed("live") == []
    assert claimed("corrections") == [correction.pk]


def test_what_is_applied_or_set_aside_is_claimed_no_more() -> None:
    applied, poisoned = events(2)
    outbox.mark_applied([applied], NOW)
    OutboxEvent.objects.filter(pk=poisoned).update(set_aside_at=NOW)

    assert claimed() == []


def test_marking_applied_again_keeps_the_first_time() -> None:
    ids = events(1)
    outbox.mark_applied(ids, NOW)
    outbox.mark_applied(ids, NOW + SECOND)

    assert OutboxEvent.objects.get().applied_at == NOW


def test_what_is_given_back_is_ready_at_the_time_said_and_its_attempt_does_not_count() -> None:
    ids = events(2)
    claimed()

    outbox.give_back(ids, NOW + SECOND)

    assert claimed(seconds=0) == []
    assert set(OutboxEvent.objects.values_list("attempts", flat=True)) == {0}
    assert claimed(seconds=1) == ids


def test_giving_back_twice_is_no_error() -> None:
    ids = events(1)
    claimed()

    outbox.give_back(ids, NOW)
    outbox.give_back(ids, NOW)

    assert OutboxEvent.objects.get().attempts == 0


def test_the_pause_after_a_failure_doubles_up_to_512_seconds() -> None:
    (event_id,) = events(1)
    pauses = []
    for attempts in range(1, 13):
        OutboxEvent.objects.update(attempts=attempts)
        outbox.mark_failed(event_id, "broken " * 200, NOW)
        event = OutboxEvent.objects.get()
        assert event.leased_until is not None
        pauses.append((event.leased_until - NOW).total_seconds())

    assert pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 512, 512]
    assert OutboxEvent.objects.get().problem.startswith("broken broken")


def test_an_event_is_set_aside_after_its_last_attempt_and_not_while_that_is_under_way() -> None:
    (event_id,) = events(1)
    for attempt in range(3):
        assert claimed(seconds=30 * attempt) == [event_id]

    assert outbox.set_exhausted_aside("live", NOW + 89 * SECOND, max_attempts=3) == 0
    assert outbox.set_exhausted_aside("corrections", NOW + 90 * SECOND, max_attempts=3) == 0
    assert outbox.set_exhausted_aside("live", NOW + 90 * SECOND, max_attempts=3) == 1
    assert list(OutboxEvent.objects.set_aside()) == list(OutboxEvent.objects.all())
    assert not OutboxEvent.objects.waiting()


def test_what_was_set_aside_gets_all_its_attempts_anew_when_a_person_says_so() -> None:
    ids = events(2)
    OutboxEvent.objects.update(attempts=3, set_aside_at=NOW, leased_until=NOW + 500 * SECOND)

    assert outbox.retry_set_aside(ids[:1]) == 1
    assert claimed() == ids[:1]
    assert outbox.retry_set_aside(ids[:1]) == 0


def test_players_under_way_leave_room_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "PLAYERS_UNDER_WAY", 5)
    first, second, third = events(3)
    OutboxEvent.objects.update(player_ids=[1, 2, 3], player_count=3)

    assert claimed(limit=1) == [first]
    assert claimed(limit=1) == [second]
    assert claimed(limit=1) == []
    outbox.mark_applied([first], NOW)
    assert claimed(limit=1) == [third]


def test_players_of_a_lease_that_is_over_take_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "PLAYERS_UNDER_WAY", 1)
    ids = events(1)
    claimed()

    assert claimed(seconds=29) == []
    assert claimed(seconds=30) == ids


@pytest.mark.django_db(transaction=True)
def test_two_relays_at_once_get_different_events_and_do_not_wait() -> None:
    ids = events(4)
    other: list[int] = []

    def claim_elsewhere() -> None:
        other.extend(claimed())
        connection.close()

    with transaction.atomic():
        mine = claimed(limit=2)
        # My claim is not committed yet: the rows are locked while the other relay runs to its end.
        relay = threading.Thread(target=claim_elsewhere)
        relay.start()
        relay.join(timeout=20)
        assert not relay.is_alive()

    assert (mine, other) == (ids[:2], ids[2:])


@pytest.mark.django_db(transaction=True)
def test_listeners_are_told_after_the_commit_and_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(outbox, "_listeners", [heard.append])

    with transaction.atomic():
        outbox.write_event("corrections", [2, 1], NOW)
        assert heard == []

    assert heard == ["corrections"]
    assert OutboxEvent.objects.get().player_ids == [1, 2]


@pytest.mark.django_db(transaction=True)
def test_a_listener_that_raises_does_not_reach_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(queue: str) -> None:
        raise RuntimeError(queue)

    monkeypatch.setattr(outbox, "_listeners", [broken])

    outbox.write_event("live", [1], NOW)

    assert OutboxEvent.objects.count() == 1
