"""Who else played a match."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from scoring.database import fetch_all
from scoring.models import ReviewState, ScoreEvent
from scoring.points import Points, from_units
from scoring.rules import Rules
from scoring.sql import statement

READ_LIMIT = 5_000
"""So many of a match are looked at: 10 ms, also where 300,000 played."""

MOST_COUNTED = 100_000

SHOWN = 21
"""The player and the 20 nearest in points."""


class Mate(NamedTuple):
    """One who played. `is_own`: the player whose page this is."""

    pk: int
    player_id: str
    name: str
    is_flagged: bool
    points: Points
    occurred_at: datetime
    voided_at: datetime | None
    is_own: bool


@dataclass(frozen=True, slots=True)
class Match:
    """`above` and `average` are of the `looked_at`; these are the whole match unless `is_sample`."""

    leaderboard: str
    match_id: str
    mates: list[Mate]
    looked_at: int
    is_sample: bool
    above: int
    average: Points


def load_match(rules: Rules, match_id: str, player: int) -> Match | None:
    """The players of a match nearest in points, most points first; None if this player did not play it. 1 query."""
    rows = fetch_all(
        statement("load_match"),
        {
            "leaderboard_id": rules.leaderboard_id,
            "match_id": match_id,
            "player": player,
            "read_limit": READ_LIMIT,
            "shown": SHOWN,
        },
    )
    if not rows:
        return None
    mates = [
        Mate(
            pk=pk,
            player_id=player_id,
            name=name,
            is_flagged=state == ReviewState.FLAGGED,
            points=from_units(units, rules.scale),
            occurred_at=occurred_at,
            voided_at=voided_at,
            is_own=pk == player,
        )
        for player_id, name, state, pk, units, occurred_at, voided_at, *_ in rows
    ]
    *_, looked_at, above, average = rows[0]
    return Match(
        leaderboard=rules.slug,
        match_id=match_id,
        mates=mates,
        looked_at=looked_at,
        is_sample=looked_at >= READ_LIMIT,
        above=above,
        average=from_units(round(average), rules.scale),
    )


def count_players(leaderboard: str, match_id: str) -> int:
    """How many have an event of this match that counts, up to MOST_COUNTED. 1 query, a range of the ledger's key."""
    events = ScoreEvent.objects.filter(leaderboard__slug=leaderboard, match_id=match_id, voided_at__isnull=True)
    return events[:MOST_COUNTED].count()
