"""The rules as ten lines of Python: what was accepted folded to totals, totals sorted to a list with ranks."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from scoring.ranking import Operator, Order, Ties


class Event(NamedTuple):
    """One line of the ledger, points in units."""

    units: int
    accept_no: int
    occurred_at: datetime
    details: dict[str, Any] | None = None


class Line(NamedTuple):
    """One line of a board."""

    rank: int
    player_id: str
    units: int


@dataclass(frozen=True)
class Fold:
    """A total: points in units, acceptance number, and the event whose details are shown."""

    units: int
    accept_no: int
    shown: Event


def fold(operator: Operator, order: Order, events: list[Event]) -> Fold:
    """The total of these events, given in the order of their acceptance."""
    if operator is Operator.ADD:
        moving = [event for event in events if event.units]
        last = moving[-1] if moving else events[0]
        return Fold(sum(event.units for event in events), last.accept_no, last)
    if operator is Operator.BEST:
        best = min(events, key=lambda event: (-event.units * order.direction, event.accept_no))
        return Fold(best.units, best.accept_no, best)
    first, *others = events
    total = Fold(first.units, first.accept_no, first)
    for event in others:
        if event.occurred_at >= total.shown.occurred_at:
            has_moved = event.units != total.units
            total = Fold(event.units, event.accept_no if has_moved else total.accept_no, event)
    return total


def ranked(order: Order, ties: Ties, totals: dict[str, Fold]) -> list[Line]:
    """The board of these totals by player id; those who share a rank stand as Redis has them, by falling ids."""

    def key(player_id: str) -> tuple[int, int]:
        total = totals[player_id]
        number = {Ties.FIRST: total.accept_no, Ties.LATEST_FIRST: -total.accept_no, Ties.SHARED: 0}[ties]
        return -total.units * order.direction, number

    best_first = sorted(sorted(totals, reverse=True), key=key)
    keys = [key(player_id) for player_id in best_first]
    return [Line(1 + keys.index(key(player)), player, totals[player].units) for player in best_first]
