"""Celery tasks of the repair: entry points only.

Arguments are keywords, and unknown ones are ignored, so that old and new workers can run side by side.
"""

from typing import Any

from celery import shared_task
from django.utils import timezone

from rebuilds import audit, closing, webhooks

CLOSING_LIMIT_SECONDS = 900
"""A period of ten million players, three times over; a run that is delivered twice meanwhile finds the period taken."""


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
