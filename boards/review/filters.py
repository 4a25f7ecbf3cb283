"""What narrows the review queue, and its order. Each is a look-up by an index, or a walk along one."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from django.contrib import messages
from django.contrib.admin import SimpleListFilter
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import SEARCH_VAR, ChangeList
from django.db.models import F, FilteredRelation, Q, QuerySet
from django.http import HttpRequest

from boards.board_ids import SEGMENT_SCOPE
from scoring.models import Player, ReviewState
from scoring.rules import all_rules

Players = QuerySet[Player]

HINTS = {
    "lead_in_match": "far above the others of a match",
    "share_of_max": "share of the maximum",
    "points_per_minute": "points per minute",
}


class ChoiceFilter(SimpleListFilter):
    """One of its choices is always in force: the first, unless another is asked for."""

    def default(self) -> str:
        first: str = self.lookup_choices[0][0]
        return first

    def chosen(self) -> str:
        """IncorrectLookupParameters for what is no choice."""
        value = self.value() or self.default()
        if value not in dict(self.lookup_choices):
            raise IncorrectLookupParameters
        return value

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        for value, words in self.lookup_choices:
            yield {
                "selected": value == self.chosen(),
                "query_string": changelist.get_query_string({str(self.parameter_name): value}),
                "display": words,
            }


class LeaderboardFilter(ChoiceFilter):
    """One leaderboard at a time, since its hints say nothing beside another's. Whoever searches means all players."""

    title = "leaderboard"
    parameter_name = "leaderboard"
    ANY = "*"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        slugs = [(rules.slug, rules.name or rules.slug) for rules in all_rules().values()]
        return [*slugs, (self.ANY, "any: all players, by id")]

    def default(self) -> str:
        is_search = bool(self.request.GET.get(SEARCH_VAR))
        choice: str = self.lookup_choices[-1 if is_search else 0][0]
        return choice

    def queryset(self, request: HttpRequest, queryset: Players) -> Players:
        rules = all_rules().get(self.chosen())
        if rules is None:
            return queryset
        here = FilteredRelation("hints", condition=Q(hints__leaderboard=rules.leaderboard_id))
        with_hints = queryset.alias(hint=here).filter(hint__computed_at__isnull=False)
        return with_hints.annotate(**{name: F(f"hint__{name}") for name in (*HINTS, "event_count")})


class StateFilter(ChoiceFilter):
    title = "state"
    parameter_name = "state"

    STATES: ClassVar[dict[str, tuple[str, Q]]] = {
        "open": (
            "clear or flagged",
            Q(review_state__in=[ReviewState.CLEAR, ReviewState.FLAGGED], merged_into__isnull=True),
        ),
        "clear": ("clear", Q(review_state=ReviewState.CLEAR, merged_into__isnull=True)),
        "flagged": ("flagged", Q(review_state=ReviewState.FLAGGED, merged_into__isnull=True)),
        "merged": ("merged into another", Q(merged_into__isnull=False)),
        "erased": ("erased", Q(review_state=ReviewState.ERASED)),
    }

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, words) for name, (words, _) in self.STATES.items()]

    def queryset(self, request: HttpRequest, queryset: Players) -> Players:
        return queryset.filter(self.STATES[self.chosen()][1])


class SegmentFilter(SimpleListFilter):
    """A text: cities are too many for a list."""

    title = "segment"
    parameter_name = "segment"
    template = "admin/scoring/player/segment_filter.html"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        names = {name for rules in all_rules().values() for name in rules.scopes}
        return [(f"{name}:", name) for name in sorted(names)] or [("city:", "city")]

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        yield {
            "value": self.value() or "",
            "beginnings": [value for value, _ in self.lookup_choices],
            "others": [pair for pair in changelist.params.items() if pair[0] != self.parameter_name],
            "without": changelist.get_query_string({self.parameter_name: None}),
        }

    def queryset(self, request: HttpRequest, queryset: Players) -> Players:
        text = (self.value() or "").strip()
        if not text:
            return queryset
        if not SEGMENT_SCOPE.fullmatch(text):
            messages.error(request, "A segment is written as its name and value: city:hyd")
            return queryset.none()
        name, _, value = text.partition(":")
        return queryset.filter(segments__contains={name: value})


class OrderFilter(ChoiceFilter):
    """Best first by one of the hints, else by id. Each order is that of an index."""

    title = "order"
    parameter_name = "order"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [*HINTS.items(), ("id", "id")]

    def queryset(self, request: HttpRequest, queryset: Players) -> Players:
        name = self.chosen()
        if name not in queryset.query.annotations:
            return queryset.order_by("player_id")
        return queryset.order_by(F(name).desc(nulls_last=True), "-pk")
