"""What the read API answers about leaderboards and boards as such."""

from datetime import datetime
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from boards.board_ids import Board
from boards.reads import Status
from scoring.points import Points, from_units
from scoring.ranking import Operator, Order, Ties, in_words
from scoring.rules import Rules

State = Literal["live", "closed", "building", "rebuilding", "recovering"]


class SeasonAnswer(msgspec.Struct):
    label: str
    starts_at: datetime | None
    ends_at: datetime | None


class LeaderboardAnswer(msgspec.Struct):
    """A leaderboard's rules, in words and as values; points in the limits as they are written."""

    leaderboard: str
    name: str
    rules: str
    operator: Operator
    order: Order
    ties: Ties
    scale: int
    min_points: Points
    max_points: Points
    periods: list[str]
    scopes: list[str]
    timezone: str
    day_starts_at_hour: int
    public: bool
    boards: list[str]
    seasons: list[SeasonAnswer]

    @classmethod
    def of(cls, rules: Rules, boards: list[Board]) -> "LeaderboardAnswer":
        return cls(
            rules.slug,
            rules.name or rules.slug,
            in_words(rules.operator, rules.order, rules.ties),
            rules.operator,
            rules.order,
            rules.ties,
            rules.scale,
            from_units(rules.min_points, rules.scale),
            from_units(rules.max_points, rules.scale),
            [str(kind) for kind in rules.period_kinds],
            list(rules.scopes),
            str(rules.calendar.zone),
            rules.calendar.day_starts_at_hour,
            rules.is_public,
            [board.id for board in boards],
            [SeasonAnswer(season.label, season.starts_at, season.ends_at) for season in rules.seasons],
        )


class LeaderboardsAnswer(msgspec.Struct):
    leaderboards: list[LeaderboardAnswer]


class BoardAnswer(msgspec.Struct):
    """One board. It is `closed` from `closes_at` on: its period's end and the grace for late events are over.

    `recovering`: Redis has lost data, and the board may still miss some of it. `building`: a custom window that can't be read yet.
    `progress`: how much of its building or rebuilding is done, in percent; left out if there is none.
    """

    board: str
    as_of: datetime
    leaderboard: str
    name: str
    rules: str
    period: str
    scope: str
    starts_at: datetime | None
    ends_at: datetime | None
    closes_at: datetime | None
    players: int
    state: State
    progress: float | UnsetType = UNSET

    @classmethod
    def of(cls, board: Board, status: Status, progress: float | None, now: datetime) -> "BoardAnswer":
        rules = board.rules
        state: State = "closed" if board.is_closed_at(now) else "live"
        if status.is_recovering:
            state = "recovering"
        if status.is_rebuilding:
            state = "rebuilding"
        if status.is_building:
            state = "building"
        return cls(
            board.id,
            now,
            rules.slug,
            rules.name or rules.slug,
            in_words(rules.operator, rules.order, rules.ties),
            board.window.label,
            board.scope,
            board.window.starts_at,
            board.window.ends_at,
            board.closes_at,
            status.players,
            state,
            UNSET if progress is None else progress,
        )
