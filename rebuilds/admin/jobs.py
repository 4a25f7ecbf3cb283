"""Rebuilds and verifications in the admin: how they stand, started and cancelled by hand."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from boards.board_ids import Board, find_board
from rebuilds.jobs import ask_rebuild, cancel, load_request
from rebuilds.models import BoardJob, Recovery
from rebuilds.selection import boards_of
from rebuilds.truth import require_known_members
from scoring.errors import LeaderboardError
from scoring.read_only_admin import ReadOnlyAdmin
from scoring.rules import get_rules


class AskForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic when Django runs
    """One text: a board, or a leaderboard for all of its boards."""

    board = forms.CharField(
        label="Board or leaderboard",
        help_text="Such as quiz:s42:global, or quiz for all of its boards. Readers notice nothing.",
    )

    class Meta:
        model = BoardJob
        fields = ("board",)

    def clean_board(self) -> str:
        text: str = self.cleaned_data["board"].strip()
        now = timezone.now()
        try:
            self.boards = find_boards(text)
            for board in self.boards:
                require_known_members(board, now)
        except LeaderboardError as error:
            raise forms.ValidationError(error.detail) from None
        if not self.boards:
            raise forms.ValidationError("There are no boards yet: nobody has scored.")
        return text


def find_boards(text: str) -> list[Board]:
    now = timezone.now()
    return [find_board(text, now)] if ":" in text else boards_of(get_rules(text), now)


@admin.register(BoardJob)
class BoardJobAdmin(ReadOnlyAdmin):
    list_display = ("id", "kind", "board", "state", "done", "rate", "asked_by", "asked_at", "finished_at", "problem")
    list_filter = ("kind", "state")
    search_fields = ("board",)
    actions = ("rebuild", "cancel")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("rebuilds.add_boardjob")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(request, obj, change, **({} if obj else {"form": AskForm}), **kwargs)

    def save_model(self, request: HttpRequest, obj: BoardJob, form: Any, change: bool) -> None:
        asked = ask_rebuild(form.boards, request.user.get_username(), timezone.now())
        # What was asked for is a row a board; the form is about the first.
        obj.pk = load_request(asked)[0].pk
        obj.refresh_from_db()

    @admin.display(description="done")
    def done(self, job: BoardJob) -> str:
        return f"{job.percent:.1f} %"

    @admin.display(description="rows/s")
    def rate(self, job: BoardJob) -> str:
        return f"{job.rate(timezone.now()):,.0f}"

    @admin.action(description="Rebuild these boards", permissions=["add"])
    def rebuild(self, request: HttpRequest, queryset: QuerySet[BoardJob]) -> None:
        board_ids = sorted(set(queryset.values_list("board", flat=True)))
        try:
            boards = [board for board_id in board_ids for board in find_boards(board_id)]
            ask_rebuild(boards, request.user.get_username(), timezone.now())
        except LeaderboardError as error:
            messages.error(request, error.detail)
        else:
            messages.success(request, f"{len(boards)} rebuilds will start within a second.")

    @admin.action(description="Cancel", permissions=["add"])
    def cancel(self, request: HttpRequest, queryset: QuerySet[BoardJob]) -> None:
        messages.success(request, f"{cancel(queryset, timezone.now())} jobs were cancelled.")


@admin.register(Recovery)
class RecoveryAdmin(ReadOnlyAdmin):
    list_display = (
        "id",
        "loss",
        "state",
        "noted_at",
        "recovered_at",
        "finished_at",
        "is_rebuilding",
        "applied_count",
        "problem",
    )
    list_filter = ("loss", "state")
