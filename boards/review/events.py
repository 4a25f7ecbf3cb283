"""A player's latest events."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from scoring.models import ScoreEvent
from scoring.points import Points, from_units
from scoring.rules import Rules


class EventLine(NamedTuple):
    """One line of the ledger. `details` as the game sent them, in JSON's types."""

    leaderboard: str
    match_id: str
    points: Points
    occurred_at: datetime
    accepted_at: datetime
    voided_at: datetime | None
    details: Any

    @property
    def details_text(self) -> str:
        return json.dumps(self.details, ensure_ascii=False)


def load_events(player: int, rules_by_id: Mapping[int, Rules], limit: int) -> list[EventLine]:
    """The newest first. 1 query, which reads all of the player's events: 1 ms for each thousand."""
    rows = (
        ScoreEvent.objects.filter(player_id=player)
        .order_by("-accept_no")
        .values_list("leaderboard_id", "match_id", "points", "occurred_at", "accepted_at", "voided_at", "details")
    )
    return [
        EventLine(rules.slug, match_id, from_units(units, rules.scale), occurred_at, accepted_at, voided_at, details)
        for leaderboard_id, match_id, units, occurred_at, accepted_at, voided_at, details in rows[:limit]
        for rules in [rules_by_id[leaderboard_id]]
    ]
