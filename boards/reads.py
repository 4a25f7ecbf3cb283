"""Reads of a board. A read is a pure call (script, keys, arguments) plus a pure parser of its reply.

So any door can carry it: one request at a time, or many in one pipeline. Each read is one atomic script: rank, points,
neighbours and the number of players are of one moment.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from boards.board_ids import Board
from boards.entries import Entry, complete, page_entries, point_reader, shown_name
from boards.keys import NAMES, RECOVERING, board_keys
from boards.percent import top_percent
from boards.recovering import ALL_BOARDS
from boards.store import Call
from scoring.errors import LeaderboardError
from scoring.points import Points
from scoring.ranking import Ties

T = TypeVar("T")

MAX_TOP = 1_000
MAX_AROUND = 50
MAX_RANKS = 1_000
MAX_FRIENDS = 5_000


class PlayerNotRanked(LeaderboardError):
    status, code = 404, "player_not_ranked"


class Top(msgspec.Struct, gc=False):
    players: int
    entries: list[Entry]


class Standing(msgspec.Struct, gc=False):
    """One player's place. `neighbours` best first, the player's own entry among them; empty if none were asked for."""

    own: Entry
    rank: int
    players: int
    top_percent: float
    neighbours: list[Entry]


class Ranks(msgspec.Struct, gc=False):
    players: int
    entries: list[Entry]


class Friend(msgspec.Struct, gc=False):
    """An entry among friends: `rank` among them, `board_rank` on the board, `previous_rank` on the board too."""

    rank: int
    board_rank: int
    player_id: str
    name: str | None
    points: Points | None
    details: msgspec.Raw | UnsetType = UNSET
    previous_rank: int | UnsetType | None = UNSET


class Status(msgspec.Struct):
    players: int
    is_rebuilding: bool
    is_recovering: bool
    is_building: bool = False
    """A custom window that is not there yet."""


class Read(NamedTuple, Generic[T]):
    call: Call
    parse: Callable[[Any], T]


class WindowRead(NamedTuple, Generic[T]):
    """A read of a custom window. It is `use`d first, so that it lives on; `unbuilt` answers if it is not there."""

    use: Call
    then: Read[T]
    unbuilt: Callable[[], T]


def top(board: Board, n: int, offset: int = 0) -> Read[Top]:
    """The `n` best after `offset`. O(log N + n)."""

    def parse(reply: Any) -> Top:
        players, page, names, details, better, *previous = reply
        return Top(players, page_entries(board.rules, page, names, details, previous, place=offset, better=better))

    return Read(Call("read_top", _keys(board), (offset, n, _is_shared(board))), parse)


def standing(board: Board, player_id: str, around: int) -> Read[Standing]:
    """One player's entry, with up to `around` neighbours on each side. The parser raises PlayerNotRanked. O(log N + n)."""

    def parse(reply: Any) -> Standing:
        if len(reply) == 1:
            raise PlayerNotRanked(f"{player_id} is not on {board.id}")
        players, page, names, details, better, own_place, first_place, *previous = reply
        entries = page_entries(board.rules, page, names, details, previous, place=first_place, better=better)
        own = entries[own_place]
        assert own.rank is not None
        return Standing(own, own.rank, players, top_percent(own.rank, players), entries if around else [])

    return Read(Call("read_player", _keys(board), (player_id, around, _is_shared(board))), parse)


def ranks(board: Board, player_ids: Sequence[str]) -> Read[Ranks]:
    """The entries of these players in the order asked for; rank and points None for who is not on the board. O(n log N)."""

    def parse(reply: Any) -> Ranks:
        players, scores, better, names, details, *previous = reply
        points_of = point_reader(board.rules)
        entries = [
            Entry(None, player_id, shown_name(name), None)
            if score is None
            else Entry(above + 1, player_id, shown_name(name), points_of(score))
            for player_id, score, above, name in zip(player_ids, scores, better, names, strict=True)
        ]
        complete(entries, details, previous)
        return Ranks(players, entries)

    return Read(Call("read_ranks", _keys(board), (_is_shared(board), *player_ids)), parse)


def friends(board: Board, player_ids: Sequence[str]) -> Read[list[Friend]]:
    """These players among themselves, best first; those who are not on the board are left out. O(n log N)."""
    everyone = ranks(board, list(dict.fromkeys(player_ids)))

    def parse(reply: Any) -> list[Friend]:
        return among_themselves(everyone.parse(reply).entries)

    return Read(everyone.call, parse)


def among_themselves(entries: Iterable[Entry]) -> list[Friend]:
    """The ranked ones of these entries of one board, best first, with their ranks among each other."""
    present = [entry for entry in entries if entry.rank is not None]
    present.sort(key=lambda entry: entry.rank or 0)
    found: list[Friend] = []
    for place, entry in enumerate(present, 1):
        # Equal board ranks occur only where equal points share one.
        rank = found[-1].rank if found and found[-1].board_rank == entry.rank else place
        details, previous_rank = entry.details, entry.previous_rank
        found.append(Friend(rank, entry.rank or 0, entry.player_id, entry.name, entry.points, details, previous_rank))
    return found


def status(board: Board) -> Read[Status]:
    """How many players are on the board, whether it is being rebuilt, and whether it may miss some after a loss. O(1)."""
    keys = board_keys(board.id)

    def parse(reply: Any) -> Status:
        players, rebuilding, recovering = reply
        return Status(players, is_rebuilding=bool(rebuilding), is_recovering=bool(recovering))

    return Read(Call("read_status", (keys.live, keys.lease, RECOVERING), (board.id, ALL_BOARDS)), parse)


def _keys(board: Board) -> tuple[str, ...]:
    keys = board_keys(board.id)
    if board.rules.show_previous_rank:
        return keys.live, keys.details, NAMES, keys.previous
    return keys.live, keys.details, NAMES


def _is_shared(board: Board) -> int:
    return int(board.rules.ties is Ties.SHARED)
