"""What snapshots keep of an erased person beside the player's row: the details of totals."""

from collections.abc import Sequence

from scoring.models import SnapshotEntry, SnapshotPeriod


def erase_copied_details(players: Sequence[int]) -> dict[str, int]:
    """Take the details away from these players' entries in all snapshots; how many there were, for the proof.

    Within the caller's transaction, if there is one. Repeatable. Points and ranks stay, and name nobody.
    """
    # By all periods there are: the key starts with them.
    periods = list(SnapshotPeriod.objects.values_list("pk", flat=True))
    entries = SnapshotEntry.objects.filter(snapshot_period__in=periods, player__in=players, details__isnull=False)
    return {"snapshot_details": entries.update(details=None)}
