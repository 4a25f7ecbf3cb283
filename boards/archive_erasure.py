"""What the archive keeps of an erased person beside the player's row: the details of entries."""

from collections.abc import Sequence

from boards.sql import statement
from scoring.database import array_of_numbers, fetch_all


def erase_archived_details(players: Sequence[int], period_id: int | None = None) -> dict[str, int]:
    """Take the details away from these players' entries, of one period or of all; how many there were, for the proof.

    Within the caller's transaction, if there is one. Repeatable. The entries stay, and name nobody: they are not shown.
    """
    parameters = {"players": array_of_numbers(players), "period_id": period_id}
    ((count,),) = fetch_all(statement("erase_archived_details"), parameters)
    return {"archived_details": count}
