"""The way from the outbox to the boards, driven by hand: no broker, no worker, no waiting."""

from datetime import datetime, timedelta

from boards.apply import apply_events
from boards.relay import relay_events
from tests.factories import NOW

LEASE = timedelta(seconds=30)
MAX_ATTEMPTS = 3
QUEUES = ("live", "corrections")


def relay(queue: str = "live", now: datetime = NOW, batch_players: int = 2_000) -> list[list[int]]:
    """What a relay sends: the event ids of each message."""
    sent: list[list[int]] = []
    relay_events(
        queue,
        send=sent.append,
        clock=lambda: now,
        lease=LEASE,
        max_attempts=MAX_ATTEMPTS,
        batch_players=batch_players,
    )
    return sent


def deliver(now: datetime = NOW) -> None:
    """Relay and apply whatever is ready."""
    for queue in QUEUES:
        for event_ids in relay(queue, now):
            apply_events(event_ids, lambda: now)
