"""Voids: a match that no longer counts, for one player or for all who played it.

A match may have hundreds of thousands of players. They are taken in portions, each in a transaction of its own, so that
scores go on being accepted in between; what is left when the caller has waited long enough is finished in the background.
"""

import logging
from datetime import datetime

from django.db import transaction
from django.db.models import Max, Min, QuerySet

from scoring.database import array_of_numbers, fetch_all
from scoring.errors import LeaderboardError
from scoring.ledger_locks import hold_ledgers
from scoring.models import Correction, ScoreEvent
from scoring.moderation.decisions import Corrected, Decision, finish, lock_player, lock_players, note
from scoring.moderation.refolding import PeriodClosed, PointsOutOfRange, load_periods_holding, refold
from scoring.rules import Rules, get_rules_of
from scoring.sql import statement
from scoring.submissions import is_id

log = logging.getLogger(__name__)

PORTION = 1_000
"""Players a transaction: about a tenth of a second, for which the ledger is held."""

PORTIONS_AT_ONCE = 3
"""How many the caller waits for."""

ALONE_AT_ONCE = 50
"""Players a transaction where each is taken alone, since one of them can't be corrected."""


class MatchNotFound(LeaderboardError):
    """The ledger has no event of this match that still counts."""

    status, code = 404, "match_not_found"


def void_match(
    rules: Rules, match_id: str, decision: Decision, *, player_id: str | None = None, reopen: bool = False
) -> Corrected:
    """Let a match no longer count, for one player, or for all who have played it (None).

    Totals fall back to what the remaining events say, as if the voided ones had never been; repeats of voided events stay
    duplicates. With more than a few thousand players the correction comes back unfinished, and `finish_voids` goes on.
    Of many players, those whose totals can't be corrected are left as they are, and named in the correction's problem.

    MatchNotFound, PlayerNotFound, PeriodClosed, CorrectionConflict, and PointsOutOfRange of one player; then nothing is
    saved.
    """
    if not is_id(match_id):
        raise MatchNotFound(f"there is no match {match_id[:64]!r}")
    with transaction.atomic():
        hold_ledgers([rules.leaderboard_id])
        correction, is_repeat = note(
            Correction.Kind.VOID,
            decision,
            leaderboard_id=rules.leaderboard_id,
            player=None if player_id is None else lock_player(player_id),
            match_id=match_id,
            reopen=reopen,
        )
        if not is_repeat:
            _require_events(rules, correction)
            _void_portion(rules, correction, decision.made_at)
    for _ in range(PORTIONS_AT_ONCE - 1):
        if not is_repeat and correction.finished_at is None:
            correction = _void_next_portion(rules, correction, decision.made_at)
    return Corrected(correction, is_repeat)


def finish_voids(now: datetime, portions: int) -> int:
    """Go on with voids that are under way, up to so many portions of each; returns how many are still unfinished.

    Repeatable, also side by side: portions of one void are taken one after another.
    """
    unfinished = list(Correction.objects.filter(kind=Correction.Kind.VOID, finished_at__isnull=True).order_by("pk"))
    return sum(not _finish(correction, now, portions) for correction in unfinished)


def _finish(correction: Correction, now: datetime, portions: int) -> bool:
    assert correction.leaderboard_id is not None
    rules = get_rules_of(correction.leaderboard_id)
    try:
        return any(_void_next_portion(rules, correction, now).finished_at for _ in range(portions))
    except Exception:
        # Whatever is wrong with this one must not stop the others; it is tried again.
        log.exception("could not go on with %s", correction)
        return False


def _require_events(rules: Rules, correction: Correction) -> None:
    events = _counting_events(rules, correction)
    if correction.player_id is not None:
        events = events.filter(player_id=correction.player_id)
    span = events.aggregate(first=Min("occurred_at"), last=Max("occurred_at"))
    if span["first"] is None:
        raise MatchNotFound(f"no score of match {correction.match_id!r} counts in {rules.slug}")
    load_periods_holding(rules, [span["first"], span["last"]], correction.made_at, reopen=correction.reopen)


def _counting_events(rules: Rules, correction: Correction) -> QuerySet[ScoreEvent]:
    return ScoreEvent.objects.filter(
        leaderboard_id=rules.leaderboard_id, match_id=correction.match_id, voided_at__isnull=True
    )


def _void_next_portion(rules: Rules, correction: Correction, now: datetime) -> Correction:
    with transaction.atomic():
        hold_ledgers([rules.leaderboard_id])
        correction = Correction.objects.select_for_update().get(pk=correction.pk)
        if correction.finished_at is None:
            _void_portion(rules, correction, now)
    return correction


def _void_portion(rules: Rules, correction: Correction, now: datetime) -> None:
    if correction.player_id is not None:
        _void(rules, correction, [correction.player_id], now)
        finish(correction, now)
        return
    players = _next_players(rules, correction)
    # Merges may have moved events to players before the last one: the last pass is one from the beginning.
    is_done = len(players) < PORTION and correction.last_player == 0
    lock_players(players)
    try:
        with transaction.atomic():
            _void(rules, correction, players, now)
    except (PointsOutOfRange, PeriodClosed):
        correction.refresh_from_db()
        is_done = False
        players = players[:ALONE_AT_ONCE]
        for player in players:
            _void_alone(rules, correction, player, now)
    if is_done:
        finish(correction, now)
    else:
        correction.last_player = players[-1] if players else 0
        correction.save()


def _next_players(rules: Rules, correction: Correction) -> list[int]:
    events = _counting_events(rules, correction).filter(player_id__gt=correction.last_player)
    events = events.exclude(player_id__in=correction.skipped).order_by("player_id")
    return list(events.values_list("player_id", flat=True)[:PORTION])


def _void_alone(rules: Rules, correction: Correction, player: int, now: datetime) -> None:
    try:
        with transaction.atomic():
            _void(rules, correction, [player], now)
    except (PointsOutOfRange, PeriodClosed) as error:
        correction.skipped.append(player)
        correction.problem = f"{correction.problem} {error.detail}."[:500].strip()


def _void(rules: Rules, correction: Correction, players: list[int], now: datetime) -> None:
    """Take these players' events of the match out of the ledger, and refold."""
    rows = fetch_all(
        statement("void_events"),
        {
            "leaderboard_id": rules.leaderboard_id,
            "match_id": correction.match_id,
            "players": array_of_numbers(players),
            "now": now,
        },
    )
    # What was open when the match was voided may have closed meanwhile.
    instants = {occurred_at for (occurred_at,) in rows}
    periods = load_periods_holding(rules, instants, correction.made_at, reopen=correction.reopen, begun=True)
    refold(rules, players, periods, correction, now)
