"""The review queue: players in the order of their hints, narrowed by filters, found by the beginning of id or name."""

from typing import Any

from django.contrib.admin.views.main import SEARCH_VAR
from django.db.models import Q, QuerySet
from django.db.models.expressions import Combinable
from django.db.models.functions import Collate, Upper
from django.http import HttpRequest

from boards.review.filters import LeaderboardFilter, OrderFilter, SegmentFilter, StateFilter
from scoring.models import Player
from scoring.read_only_admin import NextPageChangeList

FILTERS = (LeaderboardFilter, StateFilter, SegmentFilter, OrderFilter)
PARAMETERS = frozenset({kind.parameter_name for kind in FILTERS} | {SEARCH_VAR})


class ReviewQueue(NextPageChangeList):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.title = "Review queue"

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Any]) -> list[str | Combinable]:
        """That of the filter, which an index has; columns can't be sorted by."""
        return list(queryset.query.order_by)


def search(players: QuerySet[Player], text: str) -> QuerySet[Player]:
    """Those whose id, or name in any case, is this text or begins with it."""
    # As the index on names is written.
    by_name = players.alias(upper_name=Collate(Upper("name"), "C"))
    return by_name.filter(Q(player_id__startswith=text) | Q(upper_name__startswith=text.upper()))
