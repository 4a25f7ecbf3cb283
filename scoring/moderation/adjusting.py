"""Adjustments: a penalty or a bonus, one line of the ledger like any other."""

from datetime import datetime
from uuid import uuid4

from django.db import transaction

from scoring.database import fetch_all
from scoring.errors import FieldError, InvalidRequest
from scoring.ledger_locks import hold_ledgers
from scoring.models import Correction
from scoring.moderation.decisions import Corrected, Decision, finish, lock_player, note
from scoring.moderation.refolding import load_periods_holding, refold, require_open
from scoring.period_rows import EARLIEST, FUTURE_TOLERANCE, OUTSIDE_OF_THE_CALENDAR, open_period
from scoring.points import Points, to_units
from scoring.ranking import Operator
from scoring.rules import Rules
from scoring.sql import statement


def adjust(
    rules: Rules,
    player_id: str,
    points: Points,
    decision: Decision,
    *,
    occurred_at: datetime | None = None,
    reopen: bool = False,
) -> Corrected:
    """Add points to a player's totals, or take some if negative, in the periods of `occurred_at` (None: now).

    The leaderboard's limits for one event do not bind, those of totals do. One transaction. InvalidRequest,
    PlayerNotFound, PeriodClosed, PointsOutOfRange, CorrectionConflict; then nothing is saved.
    """
    units = _units(rules, points)
    instant = occurred_at or decision.made_at
    _open_periods(rules, instant, decision.made_at, reopen=reopen)
    with transaction.atomic():
        hold_ledgers([rules.leaderboard_id])
        corrected = note(
            Correction.Kind.ADJUST,
            decision,
            leaderboard_id=rules.leaderboard_id,
            player=lock_player(player_id),
            points=units,
            reopen=reopen,
            more=occurred_at and occurred_at.isoformat(),
        )
        if not corrected.is_repeat:
            _save(rules, corrected.correction, instant)
        return corrected


def _units(rules: Rules, points: Points) -> int:
    if rules.operator is not Operator.ADD:
        raise _invalid("kind", f"{rules.slug} does not add points up: void the match, or send a newer score")
    try:
        units = to_units(points, rules.scale)
    except ValueError as error:
        raise _invalid("points", f"points must be a number: {error}") from None
    if not 0 < abs(units) <= rules.max_total - rules.min_total:
        raise _invalid("points", "points must not be 0, nor more than a total can hold")
    return units


def _open_periods(rules: Rules, instant: datetime, now: datetime, *, reopen: bool) -> None:
    """Make sure that the periods have their rows: it may be the first event of the day."""
    if instant > now + FUTURE_TOLERANCE:
        raise _invalid("occurred_at", "occurred_at is more than a minute in the future")
    try:
        windows = rules.windows_at(instant) if instant >= EARLIEST else None
    except OverflowError:
        windows = None
    if windows is None:
        raise _invalid("occurred_at", OUTSIDE_OF_THE_CALENDAR.detail)
    if not windows:
        raise _invalid("occurred_at", f"{rules.slug} had no period then")
    if not reopen:
        require_open(rules, windows, now)
    for window in windows:
        # Not remembered: in a preview it is taken back.
        open_period(rules.leaderboard_id, window)


def _save(rules: Rules, correction: Correction, instant: datetime) -> None:
    now = correction.made_at
    assert correction.player_id is not None
    correction.match_id = f"correction:{uuid4().hex}"
    fetch_all(
        statement("add_event"),
        {
            "leaderboard_id": rules.leaderboard_id,
            "match_id": correction.match_id,
            "player": correction.player_id,
            "points": correction.points,
            "occurred_at": instant,
            "now": now,
        },
    )
    periods = load_periods_holding(rules, [instant], now, reopen=correction.reopen)
    refold(rules, [correction.player_id], periods, correction, now)
    finish(correction, now)


def _invalid(field: str, detail: str) -> InvalidRequest:
    return InvalidRequest(detail, [FieldError(field, "invalid", detail)])
