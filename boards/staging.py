"""The staging copy of a board: marked, loaded, compared, and swapped for the live one (DESIGN.md, "Rebuild").

All of it holds a lease in Redis with a token of its own; each call says whether the lease is still ours. Whoever has lost it
has changed nothing, and must begin anew: the staging board of before has missed writes.
"""

from collections.abc import Sequence
from typing import NamedTuple

from boards import store
from boards.keys import board_keys, built_key
from boards.store import Argument, Call
from boards.writes import raises_of

LEASE_MS = 60_000
"""Renewed with each chunk. Long enough for a killed worker's rebuild to be taken up where it was, and for a queue between two
steps; while it holds, every write of the board is written twice."""


class StagedRow(NamedTuple):
    """What a row means for one board. `epoch` is the player's and the total's, added up, or in a custom window the number of the
    snapshot that the row was read in; `packed` a score for Redis."""

    player_id: str
    epoch: int
    packed: int | str
    details: str | None


class StagedRows(NamedTuple):
    """Many of them by column, all columns in one order: some thousand rows are four lists, and no object each."""

    player_ids: Sequence[str]
    epochs: Sequence[int]
    packed: Sequence[int | str]
    details: Sequence[str | None]

    @classmethod
    def of(cls, rows: Sequence[StagedRow]) -> "StagedRows":
        return cls(*map(list, zip(*rows, strict=True))) if rows else NO_ROWS

    def part(self, first: int, last: int) -> "StagedRows":
        """The rows from the place `first` on, before `last`."""
        player_ids, epochs, packed, details = self
        return StagedRows(player_ids[first:last], epochs[first:last], packed[first:last], details[first:last])


NO_ROWS = StagedRows([], [], [], [])


def mark(board_id: str, token: str) -> bool:
    """Have every write go to both copies from now on. False if another rebuild has the lease. Repeatable. 1 round trip."""
    keys = board_keys(board_id)
    call = Call("mark", (keys.staging, keys.lease, keys.staging_details), (token, LEASE_MS))
    return _is_ours(call)


def load_call(board_id: str, token: str, rows: StagedRows) -> Call:
    """Write these rows into staging only, and renew the lease; replies 0 if it is lost. See load.lua."""
    player_ids, epochs, scores, texts = rows
    raises: list[Argument] = []
    by_epoch: list[Argument] = []
    if not any(epochs):
        # Nearly always, and a third of the time of looking at each.
        raises = raises_of(scores, player_ids)
    else:
        for player_id, epoch, packed in zip(player_ids, epochs, scores, strict=True):
            if epoch:
                by_epoch += (player_id, epoch, packed)
            else:
                raises += (packed, player_id)
    details: list[Argument] = [
        argument
        for player_id, text in zip(player_ids, texts, strict=True)
        if text is not None
        for argument in (player_id, text)
    ]
    keys = board_keys(board_id)
    head: list[Argument] = [token, LEASE_MS, len(raises) // 2, len(by_epoch) // 3]
    return Call(
        "load",
        (keys.staging, keys.fence, keys.lease, keys.staging_details),
        [*head, *raises, *by_epoch, *details],
    )


def load(board_id: str, token: str, portions: Sequence[StagedRows]) -> bool:
    """Write the portions, each atomically. False if the lease is lost. Repeatable.

    1 round trip each: a pipeline would be carried out in one go, and readers would wait for all of it (8 ms for 4,000 rows).
    With an empty portion it renews the lease, and asks whether it is ours.
    """
    return all(_is_ours(load_call(board_id, token, rows)) for rows in portions)


def swap(board_id: str, token: str, kept_seconds: int, *, window: bool = False) -> bool:
    """Put the staging copy in the place of the live one. False if the lease is lost: then nothing is changed.

    The remaining time of the board stays; one that was not there lives `kept_seconds`, 0 for ever. A custom window is
    built by this, and lives `kept_seconds` from now. 1 round trip, O(1).
    """
    keys = (*board_keys(board_id), built_key(board_id)) if window else board_keys(board_id)
    return _is_ours(Call("swap", keys, (token, kept_seconds)))


def abandon(board_id: str, token: str) -> None:
    """Drop the staging copy and the lease, if they are ours. Repeatable. 1 round trip, O(1)."""
    keys = board_keys(board_id)
    store.run([Call("abandon", (keys.staging, keys.lease, keys.staging_details), (token,))])


def _is_ours(call: Call) -> bool:
    (reply,) = store.run([call])
    return bool(reply)
