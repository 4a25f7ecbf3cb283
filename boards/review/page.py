"""All that a reviewer needs to know about one player, loaded by a fixed number of queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from boards.review.chart import Chart, Sample, draw
from boards.review.decisions import DecisionLine, load_decisions
from boards.review.events import EventLine, load_events
from boards.review.match import Match, load_match
from boards.review.totals import Standings, load_standings
from scoring.models import Hint, Player
from scoring.rules import Rules, load_rules

EVENTS_SHOWN = 50
EVENTS_CHARTED = 300
DECISIONS_SHOWN = 20


class HintLine(NamedTuple):
    leaderboard: str
    hint: Hint

    @property
    def percent(self) -> float | None:
        share = self.hint.share_of_max
        return None if share is None else share * 100


class ChosenMatch(NamedTuple):
    """The match whose other players are asked for."""

    leaderboard: str
    match_id: str


@dataclass(frozen=True, slots=True)
class ReviewPage:
    player: Player
    standings: Standings
    hints: list[HintLine]
    events: list[EventLine]
    has_more_events: bool
    charts: list[Chart]
    match: Match | None
    decisions: list[DecisionLine]


def load_page(player: Player, chosen: ChosenMatch | None, now: datetime) -> ReviewPage:
    """9 queries, one more with a match, and 1 round trip to Redis. What the boards show is read after the totals."""
    rules_by_slug = load_rules()
    rules_by_id = {rules.leaderboard_id: rules for rules in rules_by_slug.values()}
    events = load_events(player.pk, rules_by_id, EVENTS_CHARTED)
    match_rules = rules_by_slug.get(chosen.leaderboard) if chosen else None
    return ReviewPage(
        player=player,
        standings=load_standings(player, rules_by_id, now),
        hints=[
            HintLine(rules_by_id[hint.leaderboard_id].slug, hint)
            for hint in Hint.objects.filter(player=player).order_by("leaderboard_id")
        ],
        events=events[:EVENTS_SHOWN],
        has_more_events=len(events) > EVENTS_SHOWN,
        charts=_charts(events, rules_by_slug),
        match=load_match(match_rules, chosen.match_id, player.pk) if match_rules and chosen else None,
        decisions=load_decisions(player, rules_by_id, DECISIONS_SHOWN),
    )


def _charts(events: Sequence[EventLine], rules_by_slug: Mapping[str, Rules]) -> list[Chart]:
    """One a leaderboard, by name."""
    samples: dict[str, list[Sample]] = {}
    for event in sorted(events, key=lambda event: (event.leaderboard, event.occurred_at)):
        sample = Sample(event.occurred_at, event.points, event.voided_at is not None, event.match_id)
        samples.setdefault(event.leaderboard, []).append(sample)
    return [draw(slug, rules_by_slug[slug].operator, of) for slug, of in samples.items()]
