"""The rank that each player of a board had in the newest snapshot, beside the board: player id to rank.

Filled into a copy in portions, and swapped when that is complete, so readers see all ranks of one snapshot or all of another. Each
hash says of which it is. Whoever fills in an older one, or has lost the copy, is refused. All of it may be repeated.
"""

from collections.abc import Mapping, Sequence

from boards import store
from boards.keys import board_keys
from boards.store import Argument, Call

COPY_LIVES_MS = 1_200_000
"""From its last write: a board of few players is written to rarely while the others are being filled in."""

LEFT_ALONE_MS = 30_000
"""A copy that was written to more recently is somebody's work."""

PLAYERS_A_ROUND = 1_000
"""More would hold Redis for longer than readers should wait."""


def read_shown_snapshots(board_ids: Sequence[str]) -> list[int | None]:
    """Which snapshot each board's previous ranks are of. 1 round trip."""
    replies = store.run([Call("read_previous", [board_keys(board_id).previous], []) for board_id in board_ids])
    return [None if reply is None else int(reply) for reply in replies]


def begin_previous(board_id: str, snapshot_id: int) -> bool:
    """Begin a copy. False if newer ranks are there, or somebody is at it. 1 round trip, O(1)."""
    (begun,) = store.run([_begin(board_id, snapshot_id, LEFT_ALONE_MS)])
    return bool(begun)


def fill_previous(ranks: Mapping[str, Sequence[tuple[str, int]]], snapshot_id: int, begun: set[str]) -> bool:
    """Write (player id, rank) by board; False if a copy is lost. Boards that are not in `begun` are begun first, and added.

    1 round trip for each PLAYERS_A_ROUND or so.
    """
    calls: list[Call] = []
    players = 0
    replies: list[int] = []
    for board_id, entries in ranks.items():
        if board_id not in begun:
            begun.add(board_id)
            calls.append(_begin(board_id, snapshot_id, 0))
        for first in range(0, len(entries), PLAYERS_A_ROUND):
            some = entries[first : first + PLAYERS_A_ROUND]
            calls.append(_fill(board_id, snapshot_id, some))
            players += len(some)
            if players >= PLAYERS_A_ROUND:
                replies += store.run(calls)
                calls, players = [], 0
    return all([*replies, *(store.run(calls) if calls else [])])


def swap_previous(board_id: str, snapshot_id: int, kept_seconds: int, *, has_copy: bool) -> bool:
    """Show the copy's ranks from now on; none, if nobody was in the snapshot. False if the copy is lost. 1 round trip, O(1)."""
    keys = board_keys(board_id)
    arguments = (snapshot_id, kept_seconds, int(has_copy))
    (swapped,) = store.run([Call("swap_previous", (keys.live, keys.previous, keys.staging_previous), arguments)])
    return bool(swapped)


def _begin(board_id: str, snapshot_id: int, left_alone_ms: int) -> Call:
    keys = board_keys(board_id)
    arguments = (snapshot_id, COPY_LIVES_MS, left_alone_ms)
    return Call("begin_previous", (keys.previous, keys.staging_previous), arguments)


def _fill(board_id: str, snapshot_id: int, entries: Sequence[tuple[str, int]]) -> Call:
    arguments: list[Argument] = [value for entry in entries for value in entry]
    keys = board_keys(board_id)
    return Call("fill_previous", (keys.previous, keys.staging_previous), [snapshot_id, COPY_LIVES_MS, *arguments])
