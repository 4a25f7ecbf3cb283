"""How much boards are read, hottest first: the order in which a recovery rebuilds them."""

from django.contrib import admin
from django.utils import timezone

from boards.models import BoardReads
from boards.read_counts import reads_a_minute
from scoring.read_only_admin import ReadOnlyAdmin


@admin.register(BoardReads)
class BoardReadsAdmin(ReadOnlyAdmin):
    list_display = ("board", "reads_a_minute")
    search_fields = ("board",)
    sortable_by = ()

    @admin.display(description="reads a minute")
    def reads_a_minute(self, reads: BoardReads) -> str:
        return f"{reads_a_minute(reads.heat, timezone.now()):,.1f}"
