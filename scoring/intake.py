"""Intake: scores into ledger, totals and outbox, in one transaction.

Sorts the scores by leaderboard and checks each against its rules; `scoring.acceptance` writes a leaderboard's share.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from scoring.acceptance import Outcome, PeriodsSealed, Share, TotalsOutOfRange
from scoring.database import pipelined
from scoring.errors import FieldError
from scoring.ledger_locks import share_ledgers
from scoring.models import OutboxEvent
from scoring.outbox import announce_on_commit
from scoring.profiles import ProfilesDiffer, save_profiles
from scoring.rules import Rules
from scoring.submissions import Submission


class Addressed(NamedTuple):
    """A score, and the rules of the leaderboard that it is for, which its sender may use."""

    submission: Submission
    rules: Rules


def accept_scores(scores: Sequence[Addressed | FieldError], now: datetime, with_totals: bool = True) -> list[Outcome]:
    """Accept scores; one outcome each, in the order given. What was accepted is durable when this returns.

    `scores` may hold errors of parsing, which pass through. They may be of several senders. The same player and match may
    come again, in this call or later: stored once, a duplicate afterwards.

    One transaction. 1 statement for each leaderboard, 1 more for totals that it does not tell, some more when players are
    new, scores are repeated, totals run out of range or a period closes meanwhile. Raises the database's own errors only,
    and then nothing is saved.
    """
    outcomes: dict[int, Outcome] = {}
    shares: dict[int, Share] = {}
    for index, item in enumerate(scores):
        if isinstance(item, FieldError):
            outcomes[index] = item
            continue
        submission, rules = item
        share = shares.get(rules.leaderboard_id)
        if share is None:
            share = shares[rules.leaderboard_id] = Share(rules, now)
        problem = share.add(index, submission)
        if problem is not None:
            outcomes[index] = problem
    if shares:
        outcomes.update(_accept([share for _, share in sorted(shares.items())], now, with_totals))
    return [outcomes[index] for index in range(len(scores))]


def _accept(shares: list[Share], now: datetime, with_totals: bool) -> dict[int, Outcome]:
    """All shares in one transaction. Locks are taken in one order: ledgers, players, then leaderboard by leaderboard.

    What turns out on the way (a player is not known yet, a period has closed, a total would go out of range) rolls
    everything back, so that it can be seen to before anything is locked; then all is tried again. Each round settles
    something for good.
    """
    profiles_differ = False
    while True:
        try:
            with transaction.atomic():
                _prepare_players(shares, now, profiles_differ=profiles_differ)
                outcomes = _write(shares, with_totals)
                announce_on_commit(OutboxEvent.Queue.LIVE)
                return outcomes
        except ProfilesDiffer:
            profiles_differ = True
        except PeriodsSealed as error:
            error.share.refuse_closed(error.window_sets)
        except TotalsOutOfRange as error:
            error.share.refuse_what_does_not_fit(error.players, error.exhausted)


def _write(shares: list[Share], with_totals: bool) -> dict[int, Outcome]:
    """The ledgers' locks go in one round trip with the first statement; who has them already waits for nobody."""
    outcomes: dict[int, Outcome] = {}
    with pipelined():
        share_ledgers(share.leaderboard_id for share in shares)
        for share in shares:
            outcomes.update(share.accept(with_totals=with_totals))
    return outcomes


def _prepare_players(shares: list[Share], now: datetime, *, profiles_differ: bool) -> None:
    """Save the players' profiles if some differ, and lock players where the order of events matters."""
    locked = {player_id for share in shares if share.needs_locks for player_id in share.player_ids()}
    if not (profiles_differ or locked):
        return
    share_ledgers(share.leaderboard_id for share in shares)
    submissions = [submission for share in shares for submission in share.submissions()] if profiles_differ else []
    refused = save_profiles(submissions, locked, now)
    if profiles_differ:
        for share in shares:
            share.refuse_players(refused)
