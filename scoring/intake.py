"""Intake: scores into ledger, totals and outbox, in one transaction.

Sorts the scores by leaderboard and checks each against its rules; `scoring.acceptance` writes a leaderboard's share.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import transaction

from scoring.acceptance import Outcome, Share, TotalsOutOfRange
from scoring.database import pipelined
from scoring.errors import FieldError
from scoring.ledger_locks import share_ledgers
from scoring.models import OutboxEvent
from scoring.outbox import announce_on_commit
from scoring.profiles import ProfilesDiffer, save_profiles
from scoring.rules import Rules
from scoring.submissions import Parsed

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
    by_name: dict[str | None, Share | FieldError] = {}
    for index, item in enumerate(parsed):
        if isinstance(item, FieldError):
            outcomes[index] = item
            continue
        share = by_name.get(item.leaderboard)
        if share is None:
            share = by_name[item.leaderboard] = _share_of(resolve(item.leaderboard), shares, now)
        problem = share if isinstance(share, FieldError) else share.add(index, item)
        if problem is not None:
            outcomes[index] = problem
    if shares:
        outcomes.update(_accept([share for _, share in sorted(shares.items())], now, with_totals))
    return [outcomes[index] for index in range(len(parsed))]


def _share_of(rules: Rules | FieldError, shares: dict[int, Share], now: datetime) -> Share | FieldError:
    """The share of these rules' leaderboard, begun if need be: it may have been called by several names."""
    if isinstance(rules, FieldError):
        return rules
    share = shares.get(rules.leaderboard_id)
    if share is None:
        share = shares[rules.leaderboard_id] = Share(rules, now)
    return share


def _accept(shares: list[Share], now: datetime, with_totals: bool) -> dict[int, Outcome]:
    """All shares in one transaction. Locks are taken in one order: ledgers, players, then leaderboard by leaderboard.

    What turns out on the way (a player is not known yet, a total would go out of range) rolls everything back, so that
    it can be seen to before anything is locked; then all is tried again. Each round settles something for good.
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
