"""How many acceptance numbers are left before a period's scores can no longer be packed."""

from datetime import datetime
from typing import NamedTuple

from django.db import connection

from scoring.models import Period
from scoring.packing import SLOT
from scoring.period_rows import load_open_period_ids
from scoring.ranking import Ties


class Headroom(NamedTuple):
    """`left_ratio` falls from 1 to 0 as numbers are used up; at 0 the period takes no more scores."""

    leaderboard: str
    period: str
    left_ratio: float


def newest_accept_no() -> int:
    """The last acceptance number that was given, to a score that may yet be rolled back. 1 query."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT last_value FROM scoring_accept_no")
        (newest,) = cursor.fetchone()
    return int(newest)


def load_headroom(now: datetime) -> list[Headroom]:
    """The headroom of every open period whose ties fall by acceptance number. 3 queries."""
    newest = newest_accept_no()
    periods = Period.objects.filter(id__in=load_open_period_ids(now)).exclude(leaderboard__ties=Ties.SHARED)
    return [
        Headroom(slug, label, 1 - max(newest - first, 0) / SLOT)
        for slug, label, first in periods.values_list("leaderboard__slug", "label", "first_accept_no")
    ]
