"""The heartbeat of the boards' Redis: a number that only grows, and how far the boards had got when it was raised.

Redis is raised first, then the number is remembered in PostgreSQL. So a Redis whose number is below the remembered one has lost
what was written since, and says itself since when.
"""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from boards import store
from boards.keys import HEARTBEAT
from boards.store import Argument, Call

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


class Heartbeat(NamedTuple):
    """`position`: every outbox event below it was on the boards when this was written, at `at`."""

    number: int
    at: datetime
    position: int


class Pulse(NamedTuple):
    """What the server said of itself before it was raised, and to which number it was; None if it was not.

    `identity`: of its process and of its history; a restart changes both.
    """

    identity: str
    heartbeat: Heartbeat | None
    raised: int | None


def beat(number: int, identity: str, now: datetime, position: int, *, is_noted: bool = False) -> Pulse:
    """Raise the heartbeat above `number`, which is remembered of it (0: nothing is).

    If it is behind, or of another server, only if that `is_noted`. 1 round trip, atomic. BoardsUnavailable.
    """
    arguments: list[Argument] = [number, identity, (now - EPOCH) // MILLISECOND, position, int(is_noted)]
    ((told, known, at, known_position, raised),) = store.run([Call("beat", [HEARTBEAT], arguments)])
    heartbeat = None if known is None else Heartbeat(int(known), EPOCH + int(at) * MILLISECOND, int(known_position))
    return Pulse(told.decode(), heartbeat, None if raised is None else int(raised))
