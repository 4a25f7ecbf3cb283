"""What game servers send, from bytes to the reply: parse, address, accept, format. Knows no door."""

from datetime import datetime

from scoring.acceptance import Outcome
from scoring.api.answers import BatchAnswer, ScoreAnswer
from scoring.api.reply import Reply, json_reply
from scoring.api.resolver import LeaderboardResolver
from scoring.errors import FieldError, ScoreRejected
from scoring.grants import Grant
from scoring.intake import Addressed, accept_scores
from scoring.submissions import parse_batch, parse_score


def address_score(body: bytes, grant: Grant | None) -> Addressed:
    """One score and the rules it is under. MalformedJson, ScoreRejected."""
    (addressed,) = LeaderboardResolver(grant).address([parse_score(body)])
    if isinstance(addressed, FieldError):
        raise ScoreRejected(addressed)
    return addressed


def score_reply(outcome: Outcome) -> Reply:
    """What became of one score. ScoreRejected."""
    if isinstance(outcome, FieldError):
        raise ScoreRejected(outcome)
    return json_reply(ScoreAnswer.of(outcome), status=202)


def accept_score(body: bytes, grant: Grant | None, now: datetime) -> Reply:
    """Accept one score. MalformedJson, ScoreRejected, and the database's own errors."""
    (outcome,) = accept_scores([address_score(body, grant)], now)
    return score_reply(outcome)


def accept_batch(body: bytes, grant: Grant | None, now: datetime, *, only_rejected: bool) -> Reply:
    """Accept the good scores of a batch, name the bad ones. As `parse_batch`, and the database's own errors."""
    addressed = LeaderboardResolver(grant).address(parse_batch(body))
    outcomes = accept_scores(addressed, now, with_totals=not only_rejected)
    return json_reply(BatchAnswer.of(outcomes, only_rejected=only_rejected), status=202)
