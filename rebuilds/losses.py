"""What a look at Redis means: has it lost anything, and how much. Pure."""

from datetime import timedelta

from boards.heartbeat import Heartbeat, Pulse
from rebuilds.models import Recovery

OLD_AFTER = timedelta(seconds=60)
"""A heartbeat that is behind by more is of an old file. By less: a failover or a crash has lost the last writes."""


def loss_of(known: Heartbeat, identity: str, pulse: Pulse) -> Recovery.Loss | None:
    """What Redis has lost since `known` and `identity` were remembered; None for nothing. A number of 0: nothing was.

    Redis is raised before that is remembered, so one that has lost nothing is never behind. One that another server has is not
    known to have everything: it may have lost what was written after its heartbeat.
    """
    if known.number == 0:
        return None
    if pulse.heartbeat is None:
        return Recovery.Loss.EMPTY
    if pulse.heartbeat.number >= known.number:
        return None if pulse.identity == identity else Recovery.Loss.TAIL
    is_old = known.at - pulse.heartbeat.at > OLD_AFTER
    return Recovery.Loss.OLD if is_old else Recovery.Loss.TAIL


def sound_heartbeat(known: Heartbeat, pulse: Pulse, loss: Recovery.Loss) -> Heartbeat:
    """Up to which heartbeat the boards need not be told again: that of Redis itself, or what is known of it where all boards
    are rebuilt and only late writers matter."""
    if loss is Recovery.Loss.TAIL and pulse.heartbeat is not None:
        return pulse.heartbeat
    return known
