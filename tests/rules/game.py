"""A leaderboard of given rules, and what a game may send to it; the model keeps the books beside it."""

import itertools
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from boards.board_ids import Board, find_board
from scoring.acceptance import Stored
from scoring.points import from_units
from scoring.ranking import Operator, Order, Ties
from tests.factories import LeaderboardFactory, accept, score
from tests.rules.model import Event, Line, fold, ranked

EVENING = datetime(2026, 10, 19, 15, 2, tzinfo=UTC)
"""Two minutes into a day that starts at 15 o'clock; the one before still takes late events."""

_numbers = itertools.count(1)


class Range(NamedTuple):
    """What totals may be, in units, and how many decimals they are written with."""

    scale: int
    least: int
    most: int


RANGES = {
    "decimal": Range(0, -900_718, 900_718),
    "decimal with 6 decimals": Range(6, -900_718, 900_718),
    "wide": Range(0, -460_000_000, 461_000_000),
    "wide with 3 decimals": Range(3, -1, 921_886_000),
}


@dataclass
class Game:
    operator: Operator
    order: Order
    ties: Ties
    range: Range
    events: dict[tuple[str, str], list[Event]] = field(default_factory=dict)
    """The ledger, by period's label and player."""
    cities: dict[str, str | None] = field(default_factory=dict)
    names: dict[str, str | None] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    """Players who have totals, and are on no board."""

    def __post_init__(self) -> None:
        scale, least, most = self.range
        self.slug = f"game-{next(_numbers)}"
        LeaderboardFactory.create(
            slug=self.slug,
            operator=self.operator,
            order=self.order,
            ties=self.ties,
            scale=scale,
            scopes=["city"],
            period_kinds=["day", "all"],
            day_starts_at_hour=15,
            **dict.fromkeys(("min_points", "min_total"), from_units(least, scale)),
            **dict.fromkeys(("max_points", "max_total"), from_units(most, scale)),
        )

    def play(self, batch: list[dict[str, Any]]) -> None:
        """Send the scores in one call, and note in the books what was taken."""
        scores = [
            score(
                self.player(one["player"]),
                from_units(one["units"], self.range.scale),
                one["match_id"],
                leaderboard=self.slug,
                occurred_at=EVENING - timedelta(minutes=one["minutes_ago"]),
                name=one["name"],
                segments=one["segments"],
                details=one["details"],
            )
            for one in batch
        ]
        for sent, one, outcome in zip(scores, batch, accept(*scores, now=EVENING), strict=True):
            # What one event can't bring at all is refused before anything of it is looked at.
            is_looked_at = self.range.least <= one["units"] <= self.range.most
            if is_looked_at and one["name"] is not None:
                self.names[sent.player_id] = one["name"]
            if is_looked_at and one["segments"] is not None:
                self.cities[sent.player_id] = one["segments"]["city"]
            if isinstance(outcome, Stored) and not outcome.duplicate:
                assert sent.occurred_at is not None
                event = Event(one["units"], outcome.accept_no, sent.occurred_at, one["details"] or None)
                for label in ("all", "day:2026-10-19" if one["minutes_ago"] <= 2 else "day:2026-10-18"):
                    self.events.setdefault((label, sent.player_id), []).append(event)

    def player(self, name: str) -> str:
        """A player's id, in this game alone."""
        return f"{self.slug}.{name}"

    def lists(self) -> dict[str, list[Line]]:
        """Every board that has players, by id, as the books say."""
        totals: dict[str, dict[str, Any]] = {}
        for (label, player_id), events in self.events.items():
            if player_id in self.hidden:
                continue
            city = self.cities.get(player_id)
            for scope in ("global", *([f"city:{city}"] if city else [])):
                board_id = f"{self.slug}:{label}:{scope}"
                totals.setdefault(board_id, {})[player_id] = fold(self.operator, self.order, events)
        return {board_id: ranked(self.order, self.ties, folded) for board_id, folded in totals.items()}

    def totals(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Points in units and acceptance number by period's label and player, as the books say."""
        folded = {key: fold(self.operator, self.order, events) for key, events in self.events.items()}
        return {key: (total.units, total.accept_no) for key, total in folded.items()}

    def details(self, label: str, player_id: str) -> dict[str, Any] | None:
        """What must be shown beside a player's points."""
        return fold(self.operator, self.order, self.events[label, player_id]).shown.details

    def board(self, board_id: str) -> Board:
        return find_board(board_id, EVENING)
