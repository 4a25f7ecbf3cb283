"""What an operator must be warned of: periods without their archive, webhooks that nobody receives."""

from datetime import datetime
from typing import NamedTuple

from django.db.models import Min

from boards.models import ArchivedPeriod
from rebuilds.models import ExpiryFind, WebhookDelivery


class ArchiveFigures(NamedTuple):
    """`oldest_seconds`: since the longest waiting period closed; 0 if none waits."""

    waiting_periods: int
    oldest_seconds: float
    waiting_deliveries: int
    set_aside_deliveries: int
    expiry_finds: dict[str, int]
    """Ever, by what was found."""


def load_archive_figures(now: datetime) -> ArchiveFigures:
    """5 small queries, by partial indexes."""
    waiting = ArchivedPeriod.objects.waiting()
    oldest = waiting.aggregate(oldest=Min("closed_at"))["oldest"]
    return ArchiveFigures(
        waiting.count(),
        max((now - oldest).total_seconds(), 0.0) if oldest else 0.0,
        WebhookDelivery.objects.waiting().count(),
        WebhookDelivery.objects.set_aside().count(),
        dict(ExpiryFind.objects.values_list("found", "count")),
    )
