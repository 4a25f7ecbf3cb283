"""What operators see of closed periods, and the webhooks they set up."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from boards.models import ArchivedPeriod
from rebuilds.models import Webhook, WebhookDelivery
from rebuilds.webhooks import retry_set_aside
from scoring.read_only_admin import ReadOnlyAdmin


@admin.register(ArchivedPeriod)
class ArchivedPeriodAdmin(ReadOnlyAdmin):
    list_display = ("leaderboard", "label", "closed_at", "archived_at", "is_outdated", "attempts", "problem")
    list_filter = ("period__leaderboard",)
    list_select_related = ("period__leaderboard",)

    @admin.display(ordering="period__leaderboard__slug")
    def leaderboard(self, archived: ArchivedPeriod) -> str:
        return archived.period.leaderboard.slug

    @admin.display(ordering="period__label")
    def label(self, archived: ArchivedPeriod) -> str:
        return archived.period.label


@admin.register(Webhook)
class WebhookAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic when Django runs
    list_display = ("url", "is_active", "created_at")
    list_filter = ("is_active",)
    filter_horizontal = ("leaderboards",)


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ReadOnlyAdmin):
    list_display = ("id", "notice", "webhook", "attempts", "retry_at", "delivered_at", "set_aside_at", "problem")
    list_filter = (
        ("set_aside_at", admin.EmptyFieldListFilter),
        ("delivered_at", admin.EmptyFieldListFilter),
        "webhook",
    )
    list_select_related = ("notice__period__leaderboard", "webhook")
    actions = ("retry",)

    @admin.action(description="Try set-aside ones again")
    def retry(self, request: HttpRequest, queryset: QuerySet[WebhookDelivery]) -> None:
        count = retry_set_aside([delivery.pk for delivery in queryset], timezone.now())
        messages.success(request, f"{count} deliveries will be tried again within seconds.")
