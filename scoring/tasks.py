"""Celery tasks of scoring: entry points only. Arguments are keywords, and unknown ones are ignored."""

from datetime import timedelta
from typing import Any

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from scoring.hints import refresh_hints
from scoring.moderation.voiding import finish_voids
from scoring.outbox_pruning import prune_outbox

PORTIONS = 100
"""Of each void in a run: some ten seconds of a task that may take thirty."""


@shared_task(name="scoring.finish_voids")
def finish_voids_under_way(**_: Any) -> None:
    """Go on with the voids of large matches. By beat every second; repeatable, also side by side."""
    finish_voids(timezone.now(), PORTIONS)


@shared_task(name="scoring.refresh_hints")
def refresh_hints_of_moved(**_: Any) -> None:
    """Bring the review queue's hints up to date, for some seconds. By beat; repeatable."""
    refresh_hints(timezone.now)


PRUNING_SECONDS = 5.0


@shared_task(name="scoring.prune_outbox")
def prune_applied_outbox(**_: Any) -> None:
    """Delete outbox events that the boards have had for long enough. By beat every few seconds; repeatable."""
    prune_outbox(timezone.now(), timedelta(seconds=settings.OUTBOX_KEPT_SECONDS), PRUNING_SECONDS)
