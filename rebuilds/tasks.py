"""Celery tasks of the repair: entry points only, all on the queue `rebuilds`.

None but the closing of a large period works for longer than some seconds: what takes minutes is done in steps.
Arguments are keywords, and unknown ones are ignored, so that old and new workers can run side by side.
"""

from datetime import timedelta
from typing import Any

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from rebuilds import audit, closing, nightly, running, sampling, webhooks
from rebuilds.running import Turn

STEP_SECONDS = 5.0

CLOSING_LIMIT_SECONDS = 900
"""A period of ten million players, three times over; a run that is delivered twice meanwhile finds the period taken."""


@shared_task(name="rebuilds.sweep")
def sweep(**_: Any) -> None:
    """Start jobs that wait, and send on those that nobody works on. By beat every second."""
    for turn in running.sweep(timezone.now(), _claim(), settings.REBUILDS_AT_ONCE):
        send_turn(turn)


@shared_task(name="rebuilds.run_turn")
def run_turn(*, job_id: int, number: int, **_: Any) -> None:
    """Work on a job for some seconds, then send its next turn. Repeatable: a turn is taken once."""
    following = running.run_turn(Turn(job_id, number), timezone.now, _claim(), STEP_SECONDS)
    if following is not None:
        send_turn(following)


@shared_task(name="rebuilds.sample_boards")
def sample_boards(**_: Any) -> None:
    """Compare some entries of every board with the totals. By beat every minute."""
    sampling.sample_boards(timezone.now())


@shared_task(name="rebuilds.ask_nightly_verification")
def ask_nightly_verification(**_: Any) -> None:
    """Have all boards verified, once a night. By beat every few minutes."""
    nightly.ask_nightly_verification(timezone.now(), settings.VERIFY_AT_HOUR)


@shared_task(
    name="rebuilds.close_periods", time_limit=CLOSING_LIMIT_SECONDS, soft_time_limit=CLOSING_LIMIT_SECONDS - 30
)
def close_periods(**_: Any) -> None:
    """Archive the periods that are over. By beat every few seconds."""
    closing.close_periods(timezone.now)


@shared_task(name="rebuilds.deliver_webhooks")
def deliver_webhooks(**_: Any) -> None:
    """Send the notices that are due. By beat every few seconds."""
    webhooks.deliver_webhooks(timezone.now)


@shared_task(name="rebuilds.audit_expiry")
def audit_expiry(**_: Any) -> None:
    """Look at the expiry of every board's keys, and mend it. By beat every ten minutes."""
    audit.audit_expiry(timezone.now)


def send_turn(turn: Turn) -> None:
    """Should it get lost, the sweep sends it again when its claim has run out."""
    run_turn.apply_async(kwargs=turn._asdict(), queue="rebuilds")


def _claim() -> timedelta:
    return timedelta(seconds=settings.REBUILD_CLAIM_SECONDS)
