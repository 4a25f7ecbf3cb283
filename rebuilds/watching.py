"""Watching the boards' Redis: once a second its heartbeat is raised and remembered, and a loss is noted as a recovery.

In this order, so that a crash between any two lines, and any number of watchers at once, neither miss a loss nor see one that is
none: Redis is raised only where it has what is remembered; then that is remembered. Where it has not, a recovery is noted first,
then Redis goes on above all that was remembered, then the recovery begins (`rebuilds.recovering`).
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction

from boards import heartbeat
from boards.heartbeat import Heartbeat, Pulse
from boards.recovering import ALL_BOARDS, note_recovering
from rebuilds.losses import loss_of, sound_heartbeat
from rebuilds.models import Recovery, RedisWatch
from rebuilds.models.redis_watch import ONLY
from scoring.outbox_history import load_first_since, load_newest, load_position

log = logging.getLogger(__name__)

MARGIN = timedelta(seconds=60)
"""Longer than a task may take: whoever read rows before that has written them, and an event that was written has its number."""


def watch_redis(now: datetime) -> Recovery | None:
    """One look; the recovery that it has begun, if it has. Repeatable, also side by side. BoardsUnavailable.

    Some six look-ups, 1 round trip and 1 update.
    """
    watch, _ = RedisWatch.objects.get_or_create(pk=ONLY)
    noted = Recovery.objects.unfinished().filter(state=Recovery.State.NOTED).first()
    if noted is None:
        # Asked before the beat: what is below is on the boards by then.
        position = load_position()
        pulse = heartbeat.beat(watch.number, watch.identity, now, position)
        loss = loss_of(watch.heartbeat, watch.identity, pulse)
        if loss is None:
            _remember(watch, pulse, now, position)
            return None
        noted = _note(watch, pulse, loss, now)
    return _resume(watch, noted, now) if noted else None


def _remember(watch: RedisWatch, pulse: Pulse, now: datetime, position: int) -> None:
    same = RedisWatch.objects.filter(pk=watch.pk, version=watch.version, number__lt=pulse.raised)
    same.update(number=pulse.raised, identity=pulse.identity, beat_at=now, position=position)


def _note(watch: RedisWatch, pulse: Pulse, loss: Recovery.Loss, now: datetime) -> Recovery | None:
    """None if another watcher has noted it."""
    sound = sound_heartbeat(watch.heartbeat, pulse, loss)
    first_event = min(sound.position, load_first_since(sound.at - MARGIN))
    with transaction.atomic():
        locked = RedisWatch.objects.select_for_update().get(pk=watch.pk)
        if locked.version != watch.version:
            return None
        locked.version += 1
        locked.save(update_fields=["version"])
        noted = Recovery(
            loss=loss,
            noted_at=now,
            sound_at=sound.at,
            first_event=first_event,
            is_rebuilding=loss is not Recovery.Loss.TAIL,
        )
        for former in Recovery.objects.unfinished():
            _take_over(noted, former, now)
        noted.save()
    level = logging.WARNING if loss is Recovery.Loss.TAIL else logging.ERROR
    found = _in_words(pulse.heartbeat)
    log.log(level, "Redis has lost data (%s): %s, remembered is %s", noted.get_loss_display(), found, watch)
    return noted


def _take_over(noted: Recovery, former: Recovery, now: datetime) -> None:
    """What the former one had still to do is to be done by this one."""
    noted.first_event = min(noted.first_event, former.first_event)
    noted.sound_at = min(noted.sound_at, former.sound_at)
    noted.is_rebuilding |= former.is_rebuilding and former.recovered_at is None
    former.state = Recovery.State.SUPERSEDED
    former.finished_at = now
    former.save(update_fields=["state", "finished_at"])


def _resume(watch: RedisWatch, noted: Recovery, now: datetime) -> Recovery | None:
    """Have Redis go on, and the recovery begin. None if another watcher has done so."""
    position = load_position()
    pulse = heartbeat.beat(watch.number, watch.identity, now, position, is_noted=True)
    assert pulse.raised is not None
    note_recovering([ALL_BOARDS])
    last_event = load_newest()
    with transaction.atomic():
        locked = RedisWatch.objects.select_for_update().get(pk=watch.pk)
        begun = Recovery.objects.unfinished().filter(pk=noted.pk, state=Recovery.State.NOTED)
        if not begun.update(state=Recovery.State.CLEARING, resumed_at=now, last_event=last_event):
            return None
        locked.version += 1
        locked.number, locked.identity, locked.beat_at, locked.position = pulse.raised, pulse.identity, now, position
        locked.save()
    return noted


def _in_words(found: Heartbeat | None) -> str:
    return f"its heartbeat is {found.number} of {found.at:%H:%M:%S}" if found else "it has no heartbeat"
