"""Intake: scores into ledger, totals and outbox, in one transaction.

Sorts the scores by leaderboard and checks each against its rules; `scoring.acceptance` writes a leaderboard's share.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import transaction

from scoring.acceptance import Outcome, Share, TotalsOutOfRange
from scoring.errors import FieldError
from scoring.models import OutboxEvent
from scoring.outbox import announce_on_commit
from scoring.points import from_units, to_units
from scoring.rules import Rules
from scoring.submissions import Parsed, Submission, check_details

Resolve = Callable[[str | None], Rules | FieldError]


def accept_scores(parsed: Sequence[Parsed], resolve: Resolve, now: datetime, with_totals: bool = True) -> list[Outcome]:
    """Accept scores; one outcome each, in the order given. What was accepted is durable when this returns.

    `parsed` may hold errors of parsing, which pass through. `resolve` gives the rules for what a score calls its
    leaderboard. The same player and match may come again, in this call or later: stored once, a duplicate afterwards.

    One transaction. 1 statement for each leaderboard, 1 more with totals, some more when players are new, scores are
    repeated or totals run out of range. Raises the database's own errors only, and then nothing is saved.
    """
    outcomes: dict[int, Outcome] = {}
    shares: dict[int, Share] = {}
    for index, item in enumerate(parsed):
        problem = item if isinstance(item, FieldError) else _sort_in(index, item, resolve, shares, now)
        if problem is not None:
            outcomes[index] = problem
    if shares:
        outcomes.update(_accept([share for _, share in sorted(shares.items())], with_totals))
    return [outcomes[index] for index in range(len(parsed))]


def _sort_in(
    index: int, submission: Submission, resolve: Resolve, shares: dict[int, Share], now: datetime
) -> FieldError | None:
    rules = resolve(submission.leaderboard)
    if isinstance(rules, FieldError):
        return rules
    try:
        units = to_units(submission.points, rules.scale)
    except ValueError:
        kind = f"a number with up to {rules.scale} decimals" if rules.scale else "a whole number"
        return FieldError("points", "invalid", f"points must be {kind}")
    if not rules.min_points <= units <= rules.max_points:
        least, most = from_units(rules.min_points, rules.scale), from_units(rules.max_points, rules.scale)
        return FieldError("points", "points_out_of_range", f"points must be from {least} to {most} in one event")
    if submission.details and (problem := check_details(submission.details)):
        return problem
    share = shares.get(rules.leaderboard_id)
    if share is None:
        share = shares[rules.leaderboard_id] = Share(rules, now)
    return share.add(index, submission, units)


def _accept(shares: list[Share], with_totals: bool) -> dict[int, Outcome]:
    """All shares in one transaction, leaderboards in the order of their keys, so that rows are locked in one order.

    If totals would go out of range, everything is rolled back and tried again, with the players concerned taken apart:
    each of their scores alone, in order, so that only those that don't fit are refused.
    """
    apart: set[str] = set()
    while True:
        try:
            with transaction.atomic():
                outcomes: dict[int, Outcome] = {}
                for share in shares:
                    outcomes.update(share.accept(apart, with_totals))
                announce_on_commit(OutboxEvent.Queue.LIVE)
                return outcomes
        except TotalsOutOfRange as error:
            apart |= error.player_ids
