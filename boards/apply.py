"""Apply: read the players' rows, write every board of theirs.

Rows are read as they are now, or taken from the event where that is as good (see `boards.carried`). Repeatable, in any order and
any number of times: each board takes a row by its epoch.
No transaction is open while Redis is talked to.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial

from boards import store
from boards.board_ids import KEPT
from boards.carried import PLAYERS_A_ROUND, Carried, carried_by, load_carried_calls
from boards.names import write_names
from boards.row_calls import calls_of
from boards.store import BoardsUnavailable
from boards.window_writes import apply_windows
from boards.writes import PeriodBoards
from scoring import outbox
from scoring.errors import LeaderboardNotFound
from scoring.models import OutboxEvent
from scoring.rules import forget_rules, get_rules
from scoring.totals import MOST_PERIODS, load_names, load_period, load_recent_period_ids, load_rows, with_former_ids

log = logging.getLogger(__name__)

LONGEST_KEPT = max(kept for kept in KEPT.values() if kept)


class CannotShow(Exception):
    """Some players' totals fit into no score. All others have been written."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(f"{len(problems)} totals can't be shown, such as {problems[0]}")


def apply_events(event_ids: list[int], clock: Callable[[], datetime]) -> None:
    """Bring what these outbox events are about to the boards, and mark them applied. Repeatable.

    Nothing is lost on failure: with Redis away all are given back for a second later; an event that fails by itself waits
    longer each time, and holds up neither the other events nor its other players.
    """
    events = list(OutboxEvent.objects.waiting().filter(id__in=event_ids))
    try:
        _apply(events, clock())
    except BoardsUnavailable:
        log.warning("the boards are away; %s outbox events go back", len(events))
        outbox.give_back([event.pk for event in events], clock() + timedelta(seconds=1))
    except Exception:
        log.exception("could not apply %s outbox events together; trying each alone", len(events))
        for event in events:
            _apply_alone(event, clock)
    else:
        outbox.mark_applied([event.pk for event in events], clock())


def _apply_alone(event: OutboxEvent, clock: Callable[[], datetime]) -> None:
    try:
        apply_rows_of([event], clock())
    except BoardsUnavailable:
        outbox.give_back([event.pk], clock() + timedelta(seconds=1))
    except Exception as error:
        # Whatever is wrong with this one must not stop the rest; it is kept, counted, and set aside in the end.
        log.exception("could not apply outbox event %s (attempt %s)", event.pk, event.attempts)
        outbox.mark_failed(event.pk, f"{type(error).__name__}: {error}", clock())
    else:
        outbox.mark_applied([event.pk], clock())


def apply_rows_of(events: Iterable[OutboxEvent], now: datetime) -> None:
    """Write the current rows of whom these events are about, and leave the events as they are. Repeatable.

    BoardsUnavailable, or CannotShow once all others are written.
    """
    events = list(events)
    _write_rows(events, _wanted_by(events, now), now)


def _apply(events: Sequence[OutboxEvent], now: datetime) -> None:
    """Likewise, but with what the events carry where that is as good."""
    carried: dict[tuple[int, ...], list[Carried]] = {}
    others: list[OutboxEvent] = []
    for event in events:
        if totals := carried_by(event, now):
            carried.setdefault(tuple(event.period_ids or ()), []).append(totals)
        else:
            others.append(event)
    wanted = _wanted_by(others, now)
    for period_ids, of_periods in carried.items():
        for calls, left in load_carried_calls(of_periods, partial(_boards_of, period_ids, now)):
            wanted[period_ids, False].update(left)
            if calls:
                store.run(calls)
    _write_rows(events, wanted, now)


Wanted = defaultdict[tuple[tuple[int, ...], bool], set[int]]
"""Players whose rows are to be read, by periods and whether their totals there may be gone."""


def _wanted_by(events: Iterable[OutboxEvent], now: datetime) -> Wanted:
    wanted: Wanted = defaultdict(set)
    everything: set[int] = set()
    for event in events:
        if event.period_ids is None:
            everything.update(event.player_ids)
        elif event.period_ids:
            wanted[tuple(event.period_ids), event.totals_removed].update(event.player_ids)
    if everything:
        wanted[tuple(load_recent_period_ids(now, LONGEST_KEPT)), False].update(everything)
    return wanted


def _write_rows(events: Sequence[OutboxEvent], wanted: Wanted, now: datetime) -> None:
    problems: list[str] = []
    for (period_ids, totals_removed), players in wanted.items():
        for some in _rounds(players):
            problems += apply_players(some, period_ids, now, totals_removed=totals_removed)
    apply_windows(events, now)
    for some in _rounds({player for event in events if event.names_changed for player in event.player_ids}):
        write_names(load_names(some))
    if problems:
        raise CannotShow(problems)


def apply_players(
    players: Iterable[int], period_ids: Sequence[int], now: datetime, *, totals_removed: bool = False
) -> list[str]:
    """Write these players' current rows to all their boards of these periods.

    `totals_removed`: also take off those who have no total there any more.
    Returns what is wrong with totals that can't be shown, a sentence each. 1 query and 1 round trip for each
    MOST_PERIODS periods.
    """
    players = list(players)
    problems: list[str] = []
    for first in range(0, len(period_ids), MOST_PERIODS):
        some_ids = period_ids[first : first + MOST_PERIODS]
        periods = _boards_of(some_ids, now)
        rows = with_former_ids(load_rows(players, some_ids))
        calls, found = calls_of(rows, periods, totals_removed=totals_removed)
        problems += found
        if calls:
            store.run(calls)
    return problems


def _boards_of(period_ids: Iterable[int], now: datetime) -> list[PeriodBoards]:
    return [_boards_of_period(period_id, now) for period_id in period_ids]


def _boards_of_period(period_id: int, now: datetime) -> PeriodBoards:
    period = load_period(period_id)
    try:
        rules = get_rules(period.leaderboard_slug)
    except LeaderboardNotFound:
        # A leaderboard of the last second: the web process that took its scores knew it before this one does.
        forget_rules()
        rules = get_rules(period.leaderboard_slug)
    return PeriodBoards(rules, period, now)


def _rounds(players: set[int]) -> list[list[int]]:
    in_order = sorted(players)
    return [in_order[first : first + PLAYERS_A_ROUND] for first in range(0, len(in_order), PLAYERS_A_ROUND)]
