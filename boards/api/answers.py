"""What the read API answers, as types. Encoded by msgspec."""

from datetime import datetime

import msgspec

from boards.reads import Entry, Standing


class TopAnswer(msgspec.Struct):
    board: str
    as_of: datetime
    players: int
    entries: list[Entry]


class RanksAnswer(msgspec.Struct):
    board: str
    as_of: datetime
    players: int
    entries: list[Entry]


class StandingAnswer(msgspec.Struct):
    """`updating`: the points are below what the caller expected, so a newer total is still on its way."""

    board: str
    as_of: datetime
    rank: int
    player_id: str
    name: str | None
    points: int
    players: int
    top_percent: float
    updating: bool
    neighbours: list[Entry]

    @classmethod
    def of(cls, board_id: str, now: datetime, standing: Standing, expect: int | None) -> "StandingAnswer":
        return cls(
            board_id,
            now,
            standing.rank,
            standing.player_id,
            standing.name,
            standing.points,
            standing.players,
            standing.top_percent,
            expect is not None and standing.points < expect,
            standing.neighbours,
        )
