"""Totals made anew from the ledger. The one way in which corrections change totals."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q

from scoring.database import array_of_numbers, fetch_all
from scoring.errors import FieldError, LeaderboardError
from scoring.fold_sources import LEDGER, FoldSource
from scoring.models import Correction, OutboxEvent, Period, Player
from scoring.outbox import write_event
from scoring.packing import SLOT
from scoring.periods import Window
from scoring.points import from_units
from scoring.ranking import Ties
from scoring.rules import Rules
from scoring.sql import statement


class PeriodClosed(LeaderboardError):
    """A correction would change a period that is over, and did not ask to reopen it."""

    status, code = 409, "period_closed"


class PointsOutOfRange(LeaderboardError):
    """A correction would leave a total that the boards can't show."""

    code = "points_out_of_range"


class Refolded(NamedTuple):
    """A total that changed. Points in units; None for no total."""

    player: int
    period_id: int
    points_before: int | None
    points_after: int | None
    accept_no_after: int | None


def load_periods_holding(
    rules: Rules, instants: Iterable[datetime], now: datetime, *, reopen: bool = False, begun: bool = False
) -> list[Period]:
    """The leaderboard's periods that one of these instants falls into. 1 query.

    PeriodClosed if one of them is over, its grace included, unless the caller wants to `reopen` it. That is so by the clock,
    or because it is sealed: who seals it waits for those who hold the ledger. What has `begun` in time goes on: only the
    clock of then counts.
    """
    in_order = sorted(set(instants))
    if not in_order:
        return []
    reached = (Q(starts_at__isnull=True) | Q(starts_at__lte=in_order[-1])) & (
        Q(ends_at__isnull=True) | Q(ends_at__gt=in_order[0])
    )
    found = Period.objects.filter(reached, leaderboard_id=rules.leaderboard_id).order_by("id")
    periods = [period for period in found if _holds_one(period, in_order)]
    if not reopen:
        require_open(rules, periods, now, begun=begun)
    return periods


def _holds_one(period: Period, in_order: list[datetime]) -> bool:
    first = 0 if period.starts_at is None else bisect_left(in_order, period.starts_at)
    return first < len(in_order) and (period.ends_at is None or in_order[first] < period.ends_at)


def require_open(rules: Rules, periods: Iterable[Period | Window], now: datetime, *, begun: bool = False) -> None:
    """PeriodClosed if one of these periods of the leaderboard takes no more scores; likewise."""
    closed = [period.label for period in periods if _is_closed(rules, period, now, sealed=not begun)]
    if closed:
        raise PeriodClosed(f"{', '.join(closed)} of {rules.slug} is closed: the correction must ask to reopen it")


def _is_closed(rules: Rules, period: Period | Window, now: datetime, *, sealed: bool = True) -> bool:
    if period.ends_at is None:
        return False
    if sealed and isinstance(period, Period) and period.sealed_at is not None:
        # Whoever has sealed it knows better than a clock that was read before.
        now = max(now, period.sealed_at)
    return now >= period.ends_at + timedelta(seconds=rules.grace_seconds)


def refold(
    rules: Rules,
    players: Sequence[int],
    periods: Sequence[Period],
    correction: Correction,
    now: datetime,
    *,
    source: FoldSource = LEDGER,
) -> list[Refolded]:
    """Make these players' totals of these periods the fold of what counts; returns those that changed.

    Within the caller's transaction, which holds the ledger and has locked the players. What changed is noted with the
    correction, which the caller saves, and announced to the boards. 1 statement, an index look-up a player and one for each of the player's
    events. PointsOutOfRange, which the caller must let roll everything back.
    """
    if not players or not periods:
        return []
    rows = fetch_all(
        statement("refold", folded="folded", fold=f"refold_{rules.operator}", **source.fragments),
        {
            **source.parameters,
            "leaderboard_id": rules.leaderboard_id,
            "players": array_of_numbers(players),
            "period_ids": array_of_numbers(period.pk for period in periods),
            "direction": rules.order.direction,
            "correction_id": correction.pk,
        },
    )
    changed = [Refolded(*row) for row in rows]
    if changed:
        _check_range(rules, changed, {period.pk: period for period in periods})
        _announce(rules, changed, periods, correction, now)
    return changed


def _check_range(rules: Rules, changed: list[Refolded], periods: dict[int, Period]) -> None:
    for one in changed:
        if one.points_after is None or one.accept_no_after is None:
            continue
        period = periods[one.period_id]
        fits = rules.min_total <= one.points_after <= rules.max_total
        is_exhausted = rules.ties is not Ties.SHARED and one.accept_no_after - period.first_accept_no >= SLOT
        if not fits or is_exhausted:
            player_id = Player.objects.values_list("player_id", flat=True).get(pk=one.player)
            total = from_units(one.points_after, rules.scale)
            least, most = (from_units(units, rules.scale) for units in (rules.min_total, rules.max_total))
            detail = (
                f"the acceptance numbers of {rules.slug}:{period.label} are used up"
                if fits
                else f"{player_id} would have {total} in {rules.slug}:{period.label}; totals are from {least} to {most}"
            )
            raise PointsOutOfRange(detail, [FieldError("points", PointsOutOfRange.code, detail)])


def _announce(
    rules: Rules, changed: list[Refolded], periods: Sequence[Period], correction: Correction, now: datetime
) -> None:
    players = {one.player for one in changed}
    period_ids = sorted({one.period_id for one in changed})
    is_removed = any(one.points_after is None for one in changed)
    write_event(OutboxEvent.Queue.CORRECTIONS, players, now, period_ids=period_ids, totals_removed=is_removed)
    closed = [period.pk for period in periods if period.pk in period_ids and _is_closed(rules, period, now)]
    if closed:
        Period.objects.filter(pk__in=closed).update(reopened_at=now)
    correction.player_count += len(players)
