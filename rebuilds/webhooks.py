"""Webhooks: what was left for them is sent until the receiver has it.

At least once: a receiver whose answer gets lost is sent the same notice again, under the same id. No transaction is open while
somebody else's server is waited for; a claim is a lease that expires.
"""

import hmac
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from http import HTTPStatus

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction

from rebuilds.http_post import NotSent, post
from rebuilds.models import WebhookDelivery
from rebuilds.notices import load_body

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
"""Longer than any one delivery takes."""

MAX_ATTEMPTS = 20
FIRST_PAUSE = timedelta(seconds=10)
LONGEST_PAUSE = timedelta(hours=1)
"""Twenty attempts are half a day: 10 seconds, doubled each time, an hour at the most."""

ONE_RUN = timedelta(seconds=15)
"""After so long a run begins no further delivery: receivers that hang must not keep the worker from its other work."""


def deliver_webhooks(clock: Callable[[], datetime]) -> int:
    """Send what is due; how many were received. Repeatable, by several workers at once: each takes others."""
    began_at = clock()
    set_exhausted_aside(began_at)
    delivered = 0
    while clock() < began_at + ONE_RUN and (delivery := claim_delivery(clock())) is not None:
        delivered += _deliver(delivery, clock)
    return delivered


def claim_delivery(now: datetime) -> WebhookDelivery | None:
    """The delivery that has been due for longest, leased; None if none is. The attempt counts from here."""
    with transaction.atomic():
        waiting = WebhookDelivery.objects.waiting().filter(attempts__lt=MAX_ATTEMPTS, webhook__is_active=True)
        due = waiting.filter(retry_at__lte=now)
        delivery = due.order_by("retry_at", "id").select_for_update(skip_locked=True, of=("self",)).first()
        if delivery is not None:
            delivery.attempts += 1
            delivery.retry_at = now + LEASE
            delivery.save(update_fields=["attempts", "retry_at"])
    return delivery


def set_exhausted_aside(now: datetime) -> int:
    """Give up on deliveries that had all their attempts; how many. Also those whose workers died each time."""
    exhausted = WebhookDelivery.objects.waiting().filter(attempts__gte=MAX_ATTEMPTS, retry_at__lte=now)
    count = exhausted.update(set_aside_at=now)
    if count:
        log.error("%s webhook deliveries were set aside after %s attempts; see the admin", count, MAX_ATTEMPTS)
    return count


def signature(secret: str, body: bytes, now: datetime) -> str:
    """`t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`: with the time in it, a recorded request can't be sent again later."""
    seconds = int(now.timestamp())
    digest = hmac.new(secret.encode(), b"%d.%s" % (seconds, body), sha256).hexdigest()
    return f"t={seconds},v1={digest}"


def retry_set_aside(delivery_ids: list[int], now: datetime) -> int:
    """A person has mended the cause: give the deliveries all their attempts anew."""
    deliveries = WebhookDelivery.objects.set_aside().filter(id__in=delivery_ids)
    return deliveries.update(set_aside_at=None, attempts=0, retry_at=now)


def _deliver(delivery: WebhookDelivery, clock: Callable[[], datetime]) -> bool:
    try:
        problem = _send(delivery, clock())
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        # Whatever is wrong with this one must not stop the others.
        log.exception("could not send webhook delivery %s", delivery.pk)
        problem = f"{type(error).__name__}: {error}"
    now = clock()
    delivery.problem = problem[:500]
    if not problem:
        delivery.delivered_at = now
    elif delivery.attempts < MAX_ATTEMPTS:
        log.warning("webhook %s, attempt %s: %s", delivery.webhook_id, delivery.attempts, problem)
        delivery.retry_at = now + min(FIRST_PAUSE * 2 ** (delivery.attempts - 1), LONGEST_PAUSE)
    else:
        delivery.retry_at = now
    delivery.save(update_fields=["problem", "delivered_at", "retry_at"])
    return not problem


def _send(delivery: WebhookDelivery, now: datetime) -> str:
    """What went wrong, in a sentence; empty if the receiver has it."""
    webhook, notice = delivery.webhook, delivery.notice
    body = load_body(notice, now)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "leaderboard-webhook",
        "Leaderboard-Notice": str(notice.notice_id),
        "Leaderboard-Signature": signature(webhook.secret, body, now),
    }
    try:
        status = post(webhook.url, body, headers, may_be_private=settings.WEBHOOKS_TO_PRIVATE_ADDRESSES)
    except NotSent as error:
        return str(error)
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return ""
    return f"answered {status}" + ("; redirects are not followed" if status < HTTPStatus.BAD_REQUEST else "")
