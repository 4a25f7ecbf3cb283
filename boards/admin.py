"""The admin of players. Here and not in scoring, since a reviewer sees what the boards show."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import BadRequest, PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.html import format_html

from boards.review import views
from boards.review.actions import ACTIONS
from boards.review.queue import FILTERS, PARAMETERS, ReviewQueue, search
from scoring.models import Player, ReviewState
from scoring.read_only_admin import ReadOnlyAdmin

REVIEW = "scoring.review_player"


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    change_list_template = "admin/scoring/player/change_list.html"
    list_display = ("player_id", "shown_name", "state", "lead", "share", "pace", "events", "shown_segments")
    list_filter = FILTERS
    search_fields = ("player_id", "name")
    search_help_text = "id or name, or how it begins"
    sortable_by = ()
    actions = ("flag_players", "unflag_players")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if not all(pk.isascii() and pk.isdigit() for pk in chosen):
            raise BadRequest("players are chosen by their primary keys")
        response: HttpResponse = super().changelist_view(request, {**(extra_context or {}), **views.WIDE})
        return response

    def get_changelist(self, request: HttpRequest, **_: Any) -> type[ChangeList]:
        return ReviewQueue

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Not any field in the address, as Django would: few of them have an index."""
        return lookup in PARAMETERS

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        text = search_term.strip()
        return (search(queryset, text) if text else queryset), False

    def get_urls(self) -> list[URLPattern]:
        decide = self.admin_site.admin_view(self.decide_view)
        return [path("<path:object_id>/decide/<str:name>/", decide, name="scoring_player_decide"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        player = self.get_object(request, unquote(object_id))
        if not self.has_view_permission(request, player):
            raise PermissionDenied
        if player is None:
            raise Http404
        return views.show_player(self, request, player, may_decide=self.has_review_permission(request))

    def decide_view(self, request: HttpRequest, object_id: str, name: str) -> HttpResponse:
        if not (self.has_view_permission(request) and self.has_review_permission(request)):
            raise PermissionDenied
        player = self.get_object(request, unquote(object_id))
        if player is None or name not in ACTIONS:
            raise Http404
        return views.decide(self, request, player, ACTIONS[name])

    def has_review_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(REVIEW)

    @admin.action(description="Flag: off all boards", permissions=["review"])
    def flag_players(self, request: HttpRequest, queryset: QuerySet[Player]) -> HttpResponse | None:
        return views.decide_many(self, request, ACTIONS["flag"])

    @admin.action(description="Unflag: back on all boards", permissions=["review"])
    def unflag_players(self, request: HttpRequest, queryset: QuerySet[Player]) -> HttpResponse | None:
        return views.decide_many(self, request, ACTIONS["unflag"])

    @admin.display(description="name", empty_value="")
    def shown_name(self, player: Player) -> str:
        return player.name

    @admin.display(description="segments", empty_value="")
    def shown_segments(self, player: Player) -> str:
        return ", ".join(f"{name}:{value}" for name, value in player.segments.items())

    @admin.display(description="state")
    def state(self, player: Player) -> str:
        is_merged = player.merged_into_id is not None
        state = "merged" if is_merged else ReviewState(player.review_state).name.lower()
        return format_html('<span class="badge {}">{}</span>', state, state)

    @admin.display(description="above others")
    def lead(self, player: Player) -> str:
        return _shown(player, "lead_in_match", "{:+,.1f}")

    @admin.display(description="share of max")
    def share(self, player: Player) -> str:
        return _shown(player, "share_of_max", "{:.0%}")

    @admin.display(description="per minute")
    def pace(self, player: Player) -> str:
        return _shown(player, "points_per_minute", "{:,.1f}")

    @admin.display(description="events")
    def events(self, player: Player) -> str:
        return _shown(player, "event_count", "{}")


def _shown(player: Player, hint: str, form: str) -> str:
    """A hint that the queue has joined, if it was asked for one leaderboard, and if there is enough to tell by."""
    value = getattr(player, hint, None)
    return "" if value is None else form.format(value)
