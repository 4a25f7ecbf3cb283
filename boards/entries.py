"""Entries: the lines of a board as shown, made from what Redis holds. Pure."""

from collections.abc import Callable, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from scoring.points import Points, from_units
from scoring.ranking import Ties
from scoring.rules import Rules


class Entry(msgspec.Struct, gc=False):
    """One line of a board. `rank` from 1; None, like `points`, for who is not on the board.

    `details` as the game sent them with the score that the points come from. `previous_rank` of the newest snapshot, None for who
    is not in it; UNSET where the leaderboard does not show it.
    """

    rank: int | None
    player_id: str
    name: str | None
    points: Points | None
    details: msgspec.Raw | UnsetType = UNSET
    previous_rank: int | UnsetType | None = UNSET


def page_entries(
    rules: Rules,
    page: Sequence[bytes],
    names: Sequence[bytes | None],
    details: Sequence[bytes | None],
    previous: Sequence[Sequence[bytes | None]],
    *,
    place: int,
    better: int,
) -> list[Entry]:
    """The entries of a page: player id, score, player id, score, … best first.

    `previous` is the list of previous ranks, in a list, which is empty where they are not shown.

    `place` is the first one's place on the board from 0, `better` how many are strictly better than it; they differ only
    where equal points share a rank (competition ranking: 1, 2, 2, 4).
    """
    points_of = point_reader(rules)
    entries = []
    rank, score_above = better + 1, page[1] if page else b""
    is_shared = rules.ties is Ties.SHARED
    for offset, (player_id, score, name) in enumerate(zip(page[::2], page[1::2], names, strict=True)):
        if not is_shared or score != score_above:
            rank, score_above = place + offset + 1, score
        entries.append(Entry(rank, player_id.decode(), shown_name(name), points_of(score)))
    complete(entries, details, previous)
    return entries


def complete(
    entries: Sequence[Entry], details: Sequence[bytes | None], previous: Sequence[Sequence[bytes | None]]
) -> None:
    """Set the entries' details, where the board has any, and their previous ranks, where they are shown."""
    for entry, found in zip(entries, details, strict=False):
        entry.details = shown_details(found)
    for ranks in previous:
        for entry, rank in zip(entries, ranks, strict=True):
            entry.previous_rank = None if rank is None else int(rank)


def point_reader(rules: Rules) -> Callable[[bytes], Points]:
    """From a packed score to the points as shown."""
    unpack, scale = rules.packing.unpack_points, rules.scale
    if scale == 0:
        return unpack
    return lambda score: from_units(unpack(score), scale)


def shown_name(stored: bytes | None) -> str | None:
    """The name behind its version; None for players who have none."""
    return stored.partition(b":")[2].decode() or None if stored else None


def shown_details(stored: bytes | None) -> msgspec.Raw | UnsetType:
    return msgspec.Raw(stored) if stored else UNSET
