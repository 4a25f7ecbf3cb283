"""What a correction would change, found out by making it and taking it back."""

from collections.abc import Callable

from django.db import transaction

from scoring.moderation.decisions import Change, Corrected, load_changes


def preview(correct: Callable[[], Corrected], limit: int = 100) -> list[Change]:
    """The changes that `correct` would make to totals; nothing is saved. Raises what `correct` raises.

    Exact, at the price of the correction: the ledger is held for as long.
    """
    with transaction.atomic():
        changes = load_changes(correct().correction, limit)
        transaction.set_rollback(True)
    return changes
