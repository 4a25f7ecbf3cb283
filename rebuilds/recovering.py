"""Working on a recovery: who has the turn, what happens when it goes wrong. The work itself: `rebuilds.recovery_steps`.

It is done in steps of some seconds. A worker that dies leaves its turn behind, which another takes once the claim has run out; the
row says where to go on. Every step may be repeated.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db.models import F

from boards.store import BoardsUnavailable
from rebuilds.models import Recovery
from rebuilds.recovery_steps import Desk, TurnLost, step

log = logging.getLogger(__name__)

PAUSE = timedelta(seconds=1)
PAUSE_AFTER_FAILURE = timedelta(seconds=5)


def is_to_go_on(now: datetime) -> bool:
    """Whether there is a recovery that nobody works on. 1 query."""
    return Recovery.objects.ready(now).exists()


def go_on(clock: Callable[[], datetime], claim: timedelta, seconds: float) -> bool:
    """Work on the recovery for about `seconds`, if there is one and nobody has the turn. Whether there is more to do at once.

    The claim must be longer than a step takes, and no message says whose turn it is: it may be called as often as one likes.
    """
    recovery = _take(clock(), claim)
    if recovery is None:
        return False
    desk = Desk(recovery, clock, claim)
    try:
        is_ready = step(desk, seconds)
        desk.release(timedelta() if is_ready else PAUSE)
    except TurnLost:
        return False
    except BoardsUnavailable as error:
        _try_again(desk, error.detail, PAUSE)
    except Exception as error:
        log.exception("a step of %s failed", recovery)
        _try_again(desk, f"{type(error).__name__}: {error}", PAUSE_AFTER_FAILURE)
    else:
        return is_ready
    return False


def _take(now: datetime, claim: timedelta) -> Recovery | None:
    ready = Recovery.objects.ready(now).first()
    if ready is None:
        return None
    mine = Recovery.objects.ready(now).filter(pk=ready.pk, turn=ready.turn)
    if not mine.update(turn=F("turn") + 1, claimed_until=now + claim):
        return None
    return Recovery.objects.get(pk=ready.pk)


def _try_again(desk: Desk, problem: str, pause: timedelta) -> None:
    own = Recovery.objects.unfinished().filter(pk=desk.recovery.pk, turn=desk.recovery.turn)
    own.update(problem=problem[:500], claimed_until=desk.clock() + pause)
