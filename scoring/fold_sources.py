"""What totals are folded from: the whole ledger, or a snapshot of standings and what came after it."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scoring.database import array_of_numbers, fetch_all
from scoring.models import StandingsSnapshot
from scoring.sql import statement


class FoldSource(NamedTuple):
    """`fragments` fill the places of folded.sql, `parameters` are theirs."""

    fragments: Mapping[str, str]
    parameters: Mapping[str, object]


LEDGER = FoldSource({"events": "events_all"}, {})


def load_snapshot_source(snapshot: StandingsSnapshot, *, but: int = 0, for_many: bool = False) -> FoldSource:
    """The snapshot's totals and the events after it. 1 query, of the moment that the fold must be of.

    So to be asked in the same snapshot of a transaction, or while the ledger is held. Players whom corrections have touched since,
    `but` for the one of this number, are folded from the whole ledger. `for_many`: one pass through what came after, instead
    of a look-up a player.
    """
    rows = fetch_all(
        statement("load_corrected_since"),
        {
            "leaderboard_id": snapshot.leaderboard_id,
            "last_correction": snapshot.last_correction,
            "unfinished": array_of_numbers(snapshot.unfinished_corrections),
            "but": but,
        },
    )
    events = "events_since_cut_scanned" if for_many else "events_since_cut"
    return FoldSource({"events": events, "base": "base_snapshot"}, _parameters(snapshot, (row[0] for row in rows)))


def _parameters(snapshot: StandingsSnapshot, corrected: Iterable[int]) -> dict[str, object]:
    return {
        "snapshot_id": snapshot.pk,
        "cut_accept_no": snapshot.accept_no,
        "corrected": array_of_numbers(corrected),
    }
