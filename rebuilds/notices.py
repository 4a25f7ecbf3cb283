"""Notices of final standings, and who has to be told of them."""

from datetime import datetime

from rebuilds.models import PeriodNotice
from scoring.models import Period


def write_notice(period: Period, kind: PeriodNotice.Kind, now: datetime) -> None:
    """Leave a notice in the caller's transaction."""
    PeriodNotice.objects.create(period=period, kind=kind, created_at=now)
