"""The second net under corrections: each is applied once more, some seconds later (DESIGN.md, invariant 6)."""

import logging
from datetime import datetime, timedelta

from boards.apply import CannotShow, apply_rows_of
from scoring import outbox

log = logging.getLogger(__name__)

CONFIRMED_AFTER = timedelta(seconds=5)
EVENTS_AT_ONCE = 500
ROUNDS = 10


def confirm_corrections(now: datetime) -> int:
    """Apply what the boards took a while ago once more; returns how many outbox events. Repeatable, also side by side.

    BoardsUnavailable, and then what is left comes again.
    """
    confirmed = 0
    for _ in range(ROUNDS):
        events = outbox.load_unconfirmed(now - CONFIRMED_AFTER, EVENTS_AT_ONCE)
        try:
            apply_rows_of(events, now)
        except CannotShow as error:
            # Everybody else's rows are written; trying again would not help these.
            log.warning("corrections confirmed, but %s", error)
        outbox.mark_confirmed([event.pk for event in events], now)
        confirmed += len(events)
        if len(events) < EVENTS_AT_ONCE:
            break
    return confirmed
