"""Relay: claim waiting outbox events and send them to the workers in portions."""

import logging
from collections import deque
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from scoring import outbox
from scoring.outbox import Claim

log = logging.getLogger(__name__)


def relay_events(
    queue: str,
    *,
    send: Callable[[list[int]], object],
    clock: Callable[[], datetime],
    lease: timedelta,
    max_attempts: int,
    batch_players: int,
) -> int:
    """Claim what is ready, in portions of about `batch_players` players, until nothing is or enough is under way.

    Returns how many events were sent. Several relays may run at once: each gets other events. What can't be sent is given
    back; should that fail too, its lease runs out.
    """
    set_aside = outbox.set_exhausted_aside(queue, clock(), max_attempts)
    if set_aside:
        log.error("%s outbox events were set aside after %s attempts; see the admin", set_aside, max_attempts)
    sent = 0
    while claims := outbox.claim(queue, clock(), lease):
        waiting = deque(portions(claims, batch_players))
        try:
            while waiting:
                send(waiting[0])
                sent += len(waiting.popleft())
        except Exception:
            outbox.give_back([event_id for portion in waiting for event_id in portion], clock())
            raise
        if len(claims) < outbox.CLAIM_EVENTS:
            break
    return sent


def portions(claims: Iterable[Claim], batch_players: int) -> list[list[int]]:
    """Event ids in their order, cut so that each portion has at most `batch_players` players or a single event."""
    cut: list[list[int]] = []
    room = 0
    for claim in claims:
        if claim.player_count > room or not cut:
            cut.append([])
            room = batch_players
        cut[-1].append(claim.event_id)
        room -= claim.player_count
    return cut
