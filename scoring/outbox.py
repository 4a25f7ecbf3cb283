"""The outbox: events are written with the totals, leased by a relay, and marked once the boards have them.

An event leaves the waiting ones only by `mark_applied`, after success. A lease that runs out makes it ready again, so a
relay or worker that dies loses nothing.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, F, Min
from django.db.models.functions import Greatest

from scoring.database import fetch_all
from scoring.models import OutboxEvent
from scoring.sql import statement

CLAIM_EVENTS = 2_000
"""How many events one claim takes at most: single posts leave one a score."""

PLAYERS_UNDER_WAY = 60_000
"""How many players may be leased at once: two seconds' work of a worker, well inside a lease."""

_listeners: list[Callable[[str], None]] = []


@dataclass(frozen=True, slots=True)
class Claim:
    event_id: int
    player_count: int


def write_event(
    queue: str,
    players: Iterable[int],
    now: datetime,
    period_ids: list[int] | None = None,
    *,
    names_changed: bool = False,
    totals_removed: bool = False,
) -> None:
    """Leave an event in the caller's transaction. `period_ids` of None: every period that the players have totals in."""
    player_ids = sorted(players)
    OutboxEvent.objects.create(
        queue=queue,
        player_ids=player_ids,
        player_count=len(player_ids),
        period_ids=period_ids,
        names_changed=names_changed,
        totals_removed=totals_removed,
        created_at=now,
    )
    announce_on_commit(queue)


def on_announce(listener: Callable[[str], None]) -> None:
    """Have `listener(queue)` called after each commit that left events. It must be quick and must not raise."""
    _listeners.append(listener)


def announce_on_commit(queue: str) -> None:
    transaction.on_commit(lambda: announce(queue), robust=True)


def announce(queue: str) -> None:
    """There are events in this queue, committed."""
    for listener in _listeners:
        listener(queue)


def claim(queue: str, now: datetime, lease: timedelta, limit: int = CLAIM_EVENTS) -> list[Claim]:
    """Lease up to `limit` ready events, oldest first. 1 statement, no lock held afterwards."""
    rows = fetch_all(
        statement("claim_outbox"),
        {"queue": queue, "now": now, "leased_until": now + lease, "event_limit": limit, "room": PLAYERS_UNDER_WAY},
    )
    return [Claim(event_id, player_count) for event_id, player_count in sorted(rows)]


def load_unconfirmed(applied_before: datetime, limit: int) -> list[OutboxEvent]:
    """Corrections that the boards took before this moment, and that were not applied a second time; oldest first."""
    unconfirmed = OutboxEvent.objects.filter(
        queue=OutboxEvent.Queue.CORRECTIONS, confirmed_at__isnull=True, applied_at__lt=applied_before
    )
    return list(unconfirmed.order_by("id")[:limit])


def mark_confirmed(event_ids: list[int], now: datetime) -> None:
    """They were applied a second time. Repeatable."""
    OutboxEvent.objects.filter(id__in=event_ids).update(confirmed_at=now)


def mark_applied(event_ids: list[int], now: datetime) -> None:
    """The boards have these. Repeatable."""
    OutboxEvent.objects.filter(id__in=event_ids, applied_at__isnull=True).update(applied_at=now, problem="")


def give_back(event_ids: list[int], retry_at: datetime) -> None:
    """Not the events' fault (broker or boards away): ready again at `retry_at`, the attempt doesn't count."""
    OutboxEvent.objects.waiting().filter(id__in=event_ids).update(
        leased_until=retry_at, attempts=Greatest(F("attempts") - 1, 0)
    )


def mark_failed(event_id: int, problem: str, now: datetime) -> None:
    """The event itself made trouble: try again after a pause that doubles from 1 to 512 seconds."""
    for event in OutboxEvent.objects.waiting().filter(id=event_id):
        event.leased_until = now + timedelta(seconds=2 ** min(event.attempts - 1, 9))
        event.problem = problem[:500]
        event.save(update_fields=["leased_until", "problem"])


def set_exhausted_aside(queue: str, now: datetime, max_attempts: int) -> int:
    """Take events that had all their attempts out of the way of the others. Returns how many.

    Also those whose workers died each time, which nobody could mark as failed: attempts count from the claim.
    """
    exhausted = OutboxEvent.objects.waiting().filter(queue=queue, attempts__gte=max_attempts, leased_until__lte=now)
    return exhausted.update(set_aside_at=now)


def retry_set_aside(event_ids: list[int]) -> int:
    """A person has mended the cause: give the events all their attempts anew."""
    return (
        OutboxEvent.objects.set_aside()
        .filter(id__in=event_ids)
        .update(set_aside_at=None, leased_until=None, attempts=0)
    )


class Backlog(NamedTuple):
    """One queue's events that the boards don't have yet. `oldest_seconds` is 0 if there are none."""

    queue: str
    waiting_count: int
    oldest_seconds: float
    set_aside_count: int


def load_backlog(now: datetime) -> list[Backlog]:
    """The backlog of each queue. 2 small queries a queue, by the partial indexes."""
    backlog = []
    for queue in OutboxEvent.Queue.values:
        waiting = OutboxEvent.objects.waiting().filter(queue=queue)
        figures = waiting.aggregate(count=Count("id"), oldest=Min("created_at"))
        age = (now - figures["oldest"]).total_seconds() if figures["oldest"] else 0.0
        set_aside_count = OutboxEvent.objects.set_aside().filter(queue=queue).count()
        backlog.append(Backlog(queue, figures["count"], max(age, 0.0), set_aside_count))
    return backlog
