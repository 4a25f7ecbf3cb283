"""What the read API answers, as types. Encoded by msgspec."""

from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType

from boards.board_ids import Board
from boards.entries import Entry
from boards.readers import BoardReader
from boards.reads import Friend, Standing
from scoring.points import Points


def closed_mark(reader: BoardReader) -> bool | UnsetType:
    """What an answer says of final standings: `closed: true`; an open board's answers don't carry the word."""
    return True if reader.closed else UNSET


class TopAnswer(msgspec.Struct):
    board: str
    as_of: datetime
    players: int
    entries: list[Entry]
    closed: bool | UnsetType = UNSET


class RanksAnswer(msgspec.Struct):
    board: str
    as_of: datetime
    players: int
    entries: list[Entry]
    closed: bool | UnsetType = UNSET


class StandingAnswer(msgspec.Struct):
    """`updating`: the points are worse than what the caller expected, so a newer total is still on its way."""

    board: str
    as_of: datetime
    rank: int
    player_id: str
    name: str | None
    points: Points | None
    details: msgspec.Raw | UnsetType
    players: int
    top_percent: float
    updating: bool
    neighbours: list[Entry]
    previous_rank: int | UnsetType | None = UNSET
    closed: bool | UnsetType = UNSET

    @classmethod
    def of(
        cls, board: Board, now: datetime, standing: Standing, expect: Points | None, closed: bool | UnsetType
    ) -> "StandingAnswer":
        own = standing.own
        direction = board.rules.order.direction
        is_behind = (
            # Of final standings nothing is on its way any more.
            closed is UNSET
            and expect is not None
            and own.points is not None
            and own.points * direction < expect * direction
        )
        return cls(
            board.id,
            now,
            standing.rank,
            own.player_id,
            own.name,
            own.points,
            own.details,
            standing.players,
            standing.top_percent,
            is_behind,
            standing.neighbours,
            own.previous_rank,
            closed,
        )


class FriendsAnswer(msgspec.Struct):
    board: str
    as_of: datetime
    entries: list[Friend]
    closed: bool | UnsetType = UNSET


class PlayerBoard(msgspec.Struct):
    board: str
    rank: int
    points: Points | None
    players: int


class PlayerBoardsAnswer(msgspec.Struct):
    player_id: str
    as_of: datetime
    boards: list[PlayerBoard]
