"""Reads of a board. A read is a pure call (script, keys, arguments) plus a pure parser of its reply.

So any door can carry it: one request at a time, or many in one pipeline. Each read is one atomic script: rank, points,
neighbours and the number of players are of one moment.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from boards.board_ids import Board
from boards.keys import NAMES, board_keys
from boards.packing import unpack_points
from boards.percent import top_percent
from boards.store import Call
from scoring.errors import LeaderboardError

T = TypeVar("T")

MAX_TOP = 1_000
MAX_AROUND = 50
MAX_RANKS = 1_000


class PlayerNotRanked(LeaderboardError):
    status, code = 404, "player_not_ranked"


class Entry(msgspec.Struct, gc=False):
    """One line of a board as shown. `rank` from 1; None, like `points`, for who is not on the board."""

    rank: int | None
    player_id: str
    name: str | None
    points: int | None


class Top(msgspec.Struct, gc=False):
    players: int
    entries: list[Entry]


class Standing(msgspec.Struct, gc=False):
    """One player's place. `neighbours` best first, the player's own entry among them; empty if none were asked for."""

    rank: int
    player_id: str
    name: str | None
    points: int
    players: int
    top_percent: float
    neighbours: list[Entry]


class Ranks(msgspec.Struct, gc=False):
    players: int
    entries: list[Entry]


class Read(NamedTuple, Generic[T]):
    call: Call
    parse: Callable[[Any], T]


def top(board: Board, n: int, offset: int = 0) -> Read[Top]:
    """The `n` best after `offset`. O(log N + n)."""

    def parse(reply: Any) -> Top:
        players, page, names = reply
        return Top(players, _page(page, names, first_rank=offset + 1))

    return Read(Call("read_top", _keys(board), (offset, n)), parse)


def standing(board: Board, player_id: str, around: int) -> Read[Standing]:
    """One player's entry, with up to `around` neighbours on each side. The parser raises PlayerNotRanked. O(log N + n)."""

    def parse(reply: Any) -> Standing:
        if len(reply) == 1:
            raise PlayerNotRanked(f"{player_id} is not on {board.id}")
        players, rank, first, page, names = reply
        entries = _page(page, names, first_rank=first + 1)
        place = rank - first
        return Standing(
            rank + 1,
            player_id,
            _name(names[place]),
            _points(page[2 * place + 1]),
            players,
            top_percent(rank + 1, players),
            entries if around else [],
        )

    return Read(Call("read_player", _keys(board), (player_id, around)), parse)


def ranks(board: Board, player_ids: Sequence[str]) -> Read[Ranks]:
    """The entries of these players in the order asked for; rank and points None for who is not on the board. O(n log N)."""

    def parse(reply: Any) -> Ranks:
        players, scores, zero_based, names = reply
        entries = [
            Entry(None, player_id, _name(name), None)
            if score is None
            else Entry(rank + 1, player_id, _name(name), _points(score))
            for player_id, score, rank, name in zip(player_ids, scores, zero_based, names, strict=True)
        ]
        return Ranks(players, entries)

    return Read(Call("read_ranks", _keys(board), player_ids), parse)


def _keys(board: Board) -> tuple[str, str]:
    return board_keys(board.id).live, NAMES


def _page(page: list[bytes], names: list[bytes | None], first_rank: int) -> list[Entry]:
    return [
        Entry(rank, player_id.decode(), _name(name), _points(score))
        for rank, (player_id, score, name) in enumerate(zip(page[::2], page[1::2], names, strict=True), first_rank)
    ]


def _points(score: bytes) -> int:
    return unpack_points(int(float(score)))


def _name(stored: bytes | None) -> str | None:
    """The name behind its version; None for players who have none."""
    return stored.partition(b":")[2].decode() or None if stored else None
