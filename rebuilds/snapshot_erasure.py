"""What snapshots keep of an erased person beside the player's row: the details of totals."""

from collections.abc import Sequence

from rebuilds.sql import statement
from scoring.database import array_of_numbers, fetch_all


def erase_copied_details(players: Sequence[int], snapshot_id: int | None = None) -> dict[str, int]:
    """Take the details away from these players' entries, of one snapshot or of all; how many there were, for the proof.

    Within the caller's transaction, if there is one. Repeatable. Points and ranks stay, and name nobody.
    """
    parameters = {"players": array_of_numbers(players), "snapshot_id": snapshot_id}
    ((count,),) = fetch_all(statement("erase_copied_details"), parameters)
    return {"snapshot_details": count}
