"""Recoveries worked on by hand: no broker, no worker, no waiting."""

from datetime import datetime, timedelta
from typing import Any

import redis

from boards.keys import HEARTBEAT
from rebuilds import recovering, watching
from rebuilds.models import Recovery
from tests.factories import NOW
from tests.rebuilds.working import work

CLAIM = timedelta(seconds=30)
SECOND = timedelta(seconds=1)
LATER = timedelta(seconds=61)
"""After which whatever was read before the loss has been written."""

Dump = dict[str, Any]
"""Values by key, as Redis writes them to a file."""


def look(now: datetime = NOW) -> Recovery | None:
    return watching.watch_redis(now)


def noted(now: datetime = NOW) -> Recovery:
    """A look that must find a loss."""
    recovery = look(now)
    assert recovery is not None
    return recovery


def go_on(now: datetime = NOW, seconds: float = 60) -> bool:
    return recovering.go_on(lambda: now, CLAIM, seconds)


def until_recovered(recovery: Recovery, now: datetime = NOW) -> Recovery:
    """Work on it, and on its rebuilds, until the boards are right."""
    for step in range(50):
        recovery.refresh_from_db()
        if recovery.recovered_at is not None:
            return recovery
        if not go_on(now + step * SECOND):
            work(now + step * SECOND)
    raise AssertionError(f"{recovery} is {recovery.state}: {recovery.problem}")


def recover(now: datetime = NOW) -> Recovery:
    """From the loss to the end."""
    recovery = until_recovered(noted(now), now)
    assert go_on(now + LATER) is False
    recovery.refresh_from_db()
    assert recovery.state == Recovery.State.DONE, recovery.state
    return recovery


def dump(client: redis.Redis) -> Dump:
    """All that Redis holds, as a snapshot file would."""
    with raw(client) as bare:
        return {key: value for key in client.scan_iter("*") if (value := bare.dump(key)) is not None}


def restore(client: redis.Redis, dumped: Dump, older_by: timedelta = timedelta()) -> None:
    """In the place of all that Redis holds now; as if it had been dumped so much earlier."""
    with raw(client) as bare, bare.pipeline(transaction=True) as pipeline:
        pipeline.flushall()
        for key, value in dumped.items():
            # A lease of then has an end; boards that would have one live on, which is no matter here.
            pipeline.restore(key, 60_000 if key.endswith("lease") else 0, value)
        pipeline.hincrby(HEARTBEAT, "at", -int(older_by.total_seconds() * 1000))
        pipeline.execute()


def raw(client: redis.Redis) -> redis.Redis:
    """A client of the same server that leaves bytes as they are."""
    pool = client.connection_pool
    kept = {**pool.connection_kwargs, "decode_responses": False}
    return redis.Redis(connection_pool=redis.ConnectionPool(pool.connection_class, **kept))
