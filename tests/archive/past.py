"""A day that is over, by the clock that the API reads too."""

from datetime import datetime, timedelta

from django.utils import timezone

from boards.archived_periods import forget_archived_periods
from boards.top_cache import forget_top_pages
from rebuilds.archiving import SETTLING
from rebuilds.closing import close_periods
from scoring.models import Period
from scoring.rules import forget_rules
from tests.delivery import deliver

GRACE = timedelta(seconds=600)
DAY = timedelta(days=1)


def past_day() -> datetime:
    """An instant of the day before yesterday: also just after midnight its grace is long over."""
    return timezone.now() - 2 * DAY


def label_of(instant: datetime) -> str:
    return f"day:{instant:%Y-%m-%d}"


def close_at(now: datetime) -> int:
    """Run the closing at this instant; how many periods were archived."""
    return close_periods(lambda: now)


def end_of(period: Period) -> datetime:
    assert period.ends_at is not None
    return period.ends_at


def closing_of(period: Period) -> datetime:
    """The first instant at which the period is archived."""
    return end_of(period) + GRACE + SETTLING


def deliver_and_close(now: datetime) -> int:
    """Bring everything to the boards, then archive what is over at `now`; readers know it at once."""
    deliver(now)
    written = close_at(now)
    forget_archived_periods()
    forget_top_pages()
    forget_rules()
    return written
