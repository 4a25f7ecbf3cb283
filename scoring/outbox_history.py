"""Applied outbox events, kept for a while: after a loss of Redis they say whose rows to write again."""

from datetime import datetime
from typing import NamedTuple

from django.db.models import Max, Min, QuerySet, Sum

from scoring.database import fetch_all
from scoring.models import OutboxEvent
from scoring.sql import statement

EVENTS_AT_ONCE = 20_000


class Span(NamedTuple):
    """Events from `first` to `last`, by primary key, that were applied at `applied_since` or later."""

    first: int
    last: int
    applied_since: datetime


def load_position() -> int:
    """The first event that is not applied yet, or the next one that will be written. 3 look-ups.

    Some may come out below it: an event gets its number before its transaction ends.
    """
    waiting = OutboxEvent.objects.waiting()
    oldest = [waiting.filter(queue=queue).aggregate(first=Min("id"))["first"] for queue in OutboxEvent.Queue.values]
    known = [first for first in oldest if first is not None]
    return min(known) if known else load_newest() + 1


def load_newest() -> int:
    """The newest event's primary key, 0 if there is none. 1 look-up."""
    newest: int | None = OutboxEvent.objects.aggregate(newest=Max("id"))["newest"]
    return newest or 0


def load_first_since(moment: datetime) -> int:
    """The first event written at that moment or later, or the next one that will be. Some 40 look-ups, without an index.

    Numbers and times grow together, but for the length of a transaction and what clocks differ: subtract a margin before.
    """
    first = OutboxEvent.objects.aggregate(first=Min("id"))["first"]
    if first is None:
        return 1
    below, found = int(first), load_newest() + 1
    while below < found:
        middle = (below + found) // 2
        event = OutboxEvent.objects.filter(id__gte=middle).order_by("id").values("created_at").first()
        if event is None or event["created_at"] >= moment:
            found = middle
        else:
            below = middle + 1
    return found


def load_recent_first(player_count: int, event_limit: int) -> int:
    """From which event on the newest ones are about so many players, each counted as often as he comes, or so many events.

    The newest itself, if it alone is about more. 1 query.
    """
    ((first,),) = fetch_all(statement("load_recent_first"), {"players": player_count, "events": event_limit})
    return first or load_newest()


def count_players(span: Span) -> int:
    """About how many players its events are, each counted as often as it comes."""
    players: int | None = _applied(span).aggregate(players=Sum("player_count"))["players"]
    return players or 0


def load_portion(span: Span, players: int) -> list[OutboxEvent]:
    """The span's first events, of about so many players together; at least one, if there is any. 2 queries."""
    sizes = _applied(span).order_by("id").values_list("id", "player_count")[:EVENTS_AT_ONCE]
    last, room = None, players
    for event_id, player_count in sizes:
        if last is not None and player_count > room:
            break
        last, room = event_id, room - player_count
    if last is None:
        return []
    # Rows are read as they are by then, whatever the events carry.
    return list(_applied(span._replace(last=last)).defer("points", "accept_nos").order_by("id"))


def _applied(span: Span) -> QuerySet[OutboxEvent]:
    return OutboxEvent.objects.filter(id__gte=span.first, id__lte=span.last, applied_at__gte=span.applied_since)
