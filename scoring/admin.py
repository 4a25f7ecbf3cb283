"""What operators set up by hand: leaderboards, seasons, keys; and what they must see: corrections, set-aside events."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.text import Truncator
from rest_framework_api_key.admin import APIKeyModelAdmin
from rest_framework_api_key.models import APIKey

from scoring.models import ApiKey, Correction, Leaderboard, OutboxEvent, Period
from scoring.outbox import retry_set_aside
from scoring.read_only_admin import ReadOnlyAdmin
from scoring.season_admin import PeriodAdmin

admin.site.site_header = admin.site.site_title = "Leaderboard"
admin.site.index_title = "What there is to look after"
# The library's own kind of key, which nothing here uses: two lists of "API keys" would be one too many.
admin.site.unregister(APIKey)
admin.site.register(Period, PeriodAdmin)


@admin.register(Leaderboard)
class LeaderboardAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic when Django runs
    list_display = ("slug", "name", "operator", "order", "ties", "timezone", "is_public")
    search_fields = ("slug", "name")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(ApiKey)
class ApiKeyAdmin(APIKeyModelAdmin):
    list_display = ("prefix", "name", "scopes", "created", "expiry_date", "revoked")
    filter_horizontal = ("leaderboards",)


@admin.register(OutboxEvent)
class OutboxEventAdmin(ReadOnlyAdmin):
    """Only the poisoned ones: the others come and go by thousands."""

    list_display = ("id", "queue", "created_at", "attempts", "set_aside_at", "problem")
    actions = ("retry",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[OutboxEvent]:
        return OutboxEvent.objects.set_aside().order_by("id")

    def has_retry_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("scoring.change_outboxevent")

    @admin.action(description="Try again", permissions=["retry"])
    def retry(self, request: HttpRequest, queryset: QuerySet[OutboxEvent]) -> None:
        count = retry_set_aside([event.pk for event in queryset])
        messages.success(request, f"{count} events will be tried again within a second.")


@admin.register(Correction)
class CorrectionAdmin(ReadOnlyAdmin):
    """The log of decisions. They are made on a player's review page, by the API or by a command."""

    list_display = ("id", "made_at", "what", "player", "leaderboard", "why", "made_by")
    sortable_by = ()
    list_filter = ("kind",)
    list_select_related = ("player", "leaderboard")
    exclude = ("idempotency_key", "request", "last_player")

    @admin.display(description="kind")
    def what(self, correction: Correction) -> str:
        return correction.kind

    @admin.display(description="reason")
    def why(self, correction: Correction) -> str:
        return Truncator(correction.reason).chars(60)
