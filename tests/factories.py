"""Rows and scores for tests, with the least that a test has to say."""

import itertools
from datetime import UTC, datetime
from typing import Any

from factory.declarations import LazyAttribute
from factory.django import DjangoModelFactory

from scoring.acceptance import Outcome, Stored
from scoring.errors import FieldError
from scoring.intake import Addressed, accept_scores
from scoring.models import Leaderboard, OutboxEvent, Total
from scoring.packing import MAX_DECIMAL
from scoring.points import Points
from scoring.rules import forget_rules, get_rules
from scoring.submissions import Parsed, Submission

NOW = datetime(2026, 10, 19, 14, 45, tzinfo=UTC)
"""A quarter past eight in the evening in Kolkata, on a Monday."""

_matches = itertools.count(1)


class LeaderboardFactory(DjangoModelFactory[Leaderboard]):
    class Meta:
        model = Leaderboard

    slug = "quiz"
    period_kinds = ["all"]
    min_total = -MAX_DECIMAL

    @classmethod
    def _create(cls, model_class: type[Leaderboard], *args: Any, **fields: Any) -> Leaderboard:
        created = model_class.objects.create(*args, **fields)
        forget_rules()
        return created


class OutboxEventFactory(DjangoModelFactory[OutboxEvent]):
    class Meta:
        model = OutboxEvent

    queue = "live"
    player_ids = [1]
    player_count = LazyAttribute(lambda event: len(event.player_ids))  # type: ignore[no-untyped-call]
    period_ids = [1]
    created_at = NOW


def score(player_id: str = "ann", points: Points = 10, match_id: str = "", **more: Any) -> Submission:
    """A score of a match of its own, unless one is named."""
    return Submission(player_id=player_id, match_id=match_id or f"match-{next(_matches)}", points=points, **more)


def accept(*scores: Parsed, now: datetime = NOW) -> list[Outcome]:
    """Send the scores in one batch, to `quiz` where none is named."""
    addressed = [
        one if isinstance(one, FieldError) else Addressed(one, get_rules(one.leaderboard or "quiz")) for one in scores
    ]
    return accept_scores(addressed, now)


def accept_all(*scores: Submission, now: datetime = NOW) -> list[Stored]:
    """Likewise, and none of them may be refused."""
    outcomes = accept(*scores, now=now)
    stored = [outcome for outcome in outcomes if isinstance(outcome, Stored)]
    assert len(stored) == len(scores), outcomes
    return stored


def codes(outcomes: list[Outcome]) -> list[str]:
    """What became of each score: accepted, duplicate, or the code of its error."""
    return [
        outcome.code if isinstance(outcome, FieldError) else "duplicate" if outcome.duplicate else "accepted"
        for outcome in outcomes
    ]


def total(player_id: str = "ann", label: str = "all", leaderboard: str = "quiz") -> tuple[int, int, int]:
    """Points, acceptance number and epoch of a player's total."""
    row = Total.objects.get(period__leaderboard__slug=leaderboard, period__label=label, player__player_id=player_id)
    return row.points, row.accept_no, row.epoch
