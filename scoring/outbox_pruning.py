"""Pruning of the outbox: events that the boards have had for long enough go, in small steps."""

import time
from datetime import datetime, timedelta

from scoring.database import fetch_all
from scoring.sql import statement

EVENTS_A_STEP = 5_000
"""A transaction of tens of milliseconds: nobody waits for its rows, but vacuum and replicas do."""


def prune_outbox(now: datetime, kept: timedelta, seconds: float) -> int:
    """Delete events that were applied more than `kept` ago, for about `seconds`; how many. Repeatable, also side by side.

    Goes through all events that were written before, those that must stay included, oldest first; what is left when the time is
    up is the next call's.
    """
    deadline = time.monotonic() + seconds
    after, pruned = 0, 0
    while True:
        parameters = {"after": after, "events": EVENTS_A_STEP, "applied_before": now - kept}
        ((last, seen, deleted, old),) = fetch_all(statement("prune_outbox"), parameters)
        pruned += int(deleted)
        if seen < EVENTS_A_STEP or not old or time.monotonic() > deadline:
            return pruned
        after = last
