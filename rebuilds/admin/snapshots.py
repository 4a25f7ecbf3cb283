"""Snapshots in the admin: when, up to where, how many, how long it took."""

from django.contrib import admin

from scoring.models import StandingsSnapshot
from scoring.read_only_admin import ReadOnlyAdmin


@admin.register(StandingsSnapshot)
class StandingsSnapshotAdmin(ReadOnlyAdmin):
    list_display = (
        "id",
        "leaderboard",
        "taken_at",
        "accept_no",
        "player_count",
        "entry_count",
        "seconds",
        "held_ms",
        "finished_at",
        "pruning_since",
    )
    list_filter = ("leaderboard",)
    list_select_related = ("leaderboard",)
    sortable_by = ()
