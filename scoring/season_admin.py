"""Seasons by the admin: opened, and given another end. The other periods come and go by themselves."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from scoring.models import Period
from scoring.periods import PeriodKind
from scoring.read_only_admin import ReadOnlyAdmin
from scoring.setup import close_season, open_season


class SeasonForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic when Django runs
    """Checked by doing it: of two operators at once, only the one who comes first finds the season free."""

    class Meta:
        model = Period
        fields = ("leaderboard", "label", "starts_at", "ends_at")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["starts_at"].required = True

    def clean(self) -> dict[str, Any]:
        asked = {**(super().clean() or {})}
        if not self.errors:
            try:
                self.instance = open_season(
                    asked["leaderboard"].slug, asked["label"], asked["starts_at"], asked["ends_at"]
                )
            except ValidationError as error:
                self.add_error(None, error)
        return asked


class SeasonEndForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Period
        fields = ("ends_at",)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["ends_at"].required = True

    def clean(self) -> dict[str, Any]:
        asked = {**(super().clean() or {})}
        if not self.errors:
            try:
                close_season(self.instance.leaderboard.slug, self.instance.label, asked["ends_at"])
            except ValidationError as error:
                self.add_error(None, error)
        return asked


class PeriodAdmin(ReadOnlyAdmin):
    list_display = ("label", "leaderboard", "kind", "starts_at", "ends_at")
    list_filter = ("leaderboard", "kind")
    list_select_related = ("leaderboard",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("scoring.add_period")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_season = obj is None or obj.kind == PeriodKind.SEASON
        return is_season and request.user.has_perm("scoring.change_period")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any) -> Any:
        if not self.has_change_permission(request, obj):
            return super().get_form(request, obj, change, **options)
        return super().get_form(request, obj, change, **options, form=SeasonEndForm if change else SeasonForm)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return (
            ("leaderboard", "kind", "label", "starts_at", "ends_at", "first_accept_no", "reopened_at")
            if obj
            else SeasonForm.Meta.fields
        )

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return tuple(name for name in self.get_fields(request, obj) if name != "ends_at") if obj else ()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Saved already, by the form."""
