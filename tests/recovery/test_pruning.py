"""Pruning of the outbox: what has served its time goes, what is still needed never does."""

from datetime import timedelta
from typing import Any

import pytest

from scoring import outbox_pruning
from scoring.models import OutboxEvent
from scoring.outbox_pruning import prune_outbox
from tests.factories import NOW, OutboxEventFactory

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
LONG_AGO = NOW - 2 * HOUR


def prune(seconds: float = 60) -> int:
    return prune_outbox(NOW, HOUR, seconds)


def event(**fields: Any) -> OutboxEvent:
    return OutboxEventFactory.create(**{"created_at": LONG_AGO, "applied_at": LONG_AGO, **fields})


def test_what_was_applied_long_ago_goes() -> None:
    event()
    event(queue="corrections", confirmed_at=LONG_AGO)

    assert prune() == 2
    assert not OutboxEvent.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"applied_at": None},
        {"applied_at": None, "set_aside_at": LONG_AGO},
        {"applied_at": None, "leased_until": NOW},
        {"queue": "corrections"},
        {"applied_at": NOW - HOUR},
        {"queue": "corrections", "applied_at": NOW - HOUR, "confirmed_at": NOW},
    ],
)
def test_what_waits_was_set_aside_or_not_confirmed_or_was_applied_lately_stays(fields: dict[str, Any]) -> None:
    kept = event(**fields)
    event()

    assert prune() == 1
    assert OutboxEvent.objects.get() == kept


def test_those_that_stay_hold_up_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox_pruning, "EVENTS_A_STEP", 3)
    kept = [event(applied_at=None).pk if number % 4 else event().pk for number in range(20)]
    kept = [pk for number, pk in enumerate(kept) if number % 4]

    assert prune() == 5
    assert list(OutboxEvent.objects.order_by("id").values_list("id", flat=True)) == kept


def test_it_stops_when_the_time_is_up_and_goes_on_with_the_next_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox_pruning, "EVENTS_A_STEP", 3)
    for _ in range(10):
        event()

    assert prune(seconds=-1) == 3
    assert prune() == 7


def test_it_does_not_read_on_where_everything_is_newer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox_pruning, "EVENTS_A_STEP", 3)
    for _ in range(3):
        event(created_at=NOW, applied_at=NOW)
    far_behind = event()

    assert prune() == 0
    assert OutboxEvent.objects.filter(pk=far_behind.pk).exists()
