"""Celery tasks of the boards: entry points only.

Arguments are keywords, and unknown ones are ignored, so that old and new workers can run side by side.
"""

import logging
from datetime import timedelta
from typing import Any

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from boards import relay
from boards.apply import apply_events
from boards.confirming import confirm_corrections
from boards.erasure import finish_erasures

log = logging.getLogger(__name__)


@shared_task(name="boards.relay_outbox")
def relay_outbox(*, queue: str = "live", **_: Any) -> None:
    """Send what waits in the outbox to the workers of `queue`. Nudged on commit, and by beat every second."""
    relay.relay_events(
        queue,
        send=lambda event_ids: apply_outbox_events.apply_async(kwargs={"event_ids": event_ids}, queue=queue),
        clock=timezone.now,
        lease=timedelta(seconds=settings.OUTBOX_LEASE_SECONDS),
        max_attempts=settings.OUTBOX_MAX_ATTEMPTS,
        batch_players=settings.RELAY_BATCH_PLAYERS,
    )


@shared_task(name="boards.apply_outbox_events")
def apply_outbox_events(*, event_ids: list[int], **_: Any) -> None:
    """Apply these outbox events. Repeatable."""
    apply_events(event_ids, timezone.now)


@shared_task(name="boards.confirm_corrections")
def confirm_applied_corrections(**_: Any) -> None:
    """Apply corrections a second time. By beat every few seconds; repeatable."""
    confirm_corrections(timezone.now())


@shared_task(name="boards.finish_erasures")
def finish_erasures_under_way(**_: Any) -> None:
    """Take the last traces of erased players. By beat every few seconds; repeatable."""
    finish_erasures(timezone.now())


def send_nudge(queue: str) -> None:
    """Ask for a relay of `queue` now rather than at the next second. Raises the broker's errors."""
    relay_outbox.apply_async(kwargs={"queue": queue}, queue=queue, expires=5)
