"""Totals that outbox events carry: what boards are to show of nearly all players, without looking up each total again.

A carried total is a row that was read at the event's commit. It is used only if its epoch was 0, and its player's epoch is 0
now: epochs only rise, so both are of one moment, the commit, as if a worker had read the row then and been slow. The boards
judge that by its epoch, like any other late row (DESIGN.md, invariant 5). All others are read as they are now.

Not for ever. After a loss of Redis fences are missing; they are restored against rows that were read up to a minute before.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from boards.row_calls import Totals, show_all
from boards.store import Call
from boards.writes import PeriodBoards
from scoring.models import OutboxEvent
from scoring.packing import Unpackable
from scoring.totals import load_plain

CARRIED_FOR = timedelta(seconds=10)
"""How old such a row may be when a worker begins with it. With the longest time that a task may take, and what clocks differ, it is
less than the minute of a recovery."""

PLAYERS_A_ROUND = 2_000
"""How many players are read and written at once; more makes no difference to speed, but holds Redis longer."""


class Carried(NamedTuple):
    """Totals of some players. Of period after period, player after player: points, None if the row must be read, and number."""

    players: list[int]
    points: list[Any]
    accept_nos: list[int]


def carried_by(event: OutboxEvent, now: datetime) -> Carried | None:
    """What the event carries, if that may still be used."""
    if event.points is None or event.accept_nos is None or event.created_at <= now - CARRIED_FOR:
        return None
    return Carried(event.player_ids, event.points, event.accept_nos)


def load_carried_calls(
    carried: Iterable[Carried], begin: Callable[[], Sequence[PeriodBoards]]
) -> Iterator[tuple[list[Call], list[int]]]:
    """Totals of the same periods, a round at a time: the calls that write them, and whose rows are to be read instead, by
    primary key.

    `begin` gives the boards of these periods, with nothing written yet. 1 query a round.
    """
    players: list[int] = []
    totals: list[Totals] = [([], []) for _ in begin()]
    for some in carried:
        players += some.players
        count = len(some.players)
        for number, columns in enumerate(totals):
            own = slice(number * count, (number + 1) * count)
            columns[0].extend(some.points[own])
            columns[1].extend(some.accept_nos[own])
    for first in range(0, len(players), PLAYERS_A_ROUND):
        part = slice(first, first + PLAYERS_A_ROUND)
        yield _calls_of(players[part], [(points[part], accept_nos[part]) for points, accept_nos in totals], begin())


def _calls_of(
    players: list[int], totals: list[Totals], periods: Sequence[PeriodBoards]
) -> tuple[list[Call], list[int]]:
    places, player_ids, segments = load_plain(players)
    if len(places) < len(players) or any(None in points for points, _ in totals):
        kept = [row for row, place in enumerate(places) if all(points[place] is not None for points, _ in totals)]
        places = [places[row] for row in kept]
        player_ids, segments = [player_ids[row] for row in kept], [segments[row] for row in kept]
    if places != list(range(len(players))):
        totals = [([points[p] for p in places], [accept_nos[p] for p in places]) for points, accept_nos in totals]
    try:
        show_all(player_ids, segments, totals, periods)
    except Unpackable:
        return [], players
    written = set(places)
    left = [player for place, player in enumerate(players) if place not in written]
    return [call for period in periods for call in period.calls()], left
