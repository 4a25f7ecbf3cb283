"""Apply: read the players' rows as they are now, write every board of theirs.

Repeatable, in any order and any number of times: what is written is the newest row, and each board takes it by its epoch.
No transaction is open while Redis is talked to.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

from boards import store
from boards.board_ids import KEPT
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

PLAYERS_A_ROUND = 2_000
"""How many players are read and written at once; more makes no difference to speed, but holds Redis longer."""

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
        apply_rows_of(events, clock())
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
    everything: set[int] = set()
    named: set[int] = set()
    by_periods: dict[tuple[tuple[int, ...], bool], set[int]] = {}
    for event in events:
        if event.names_changed:
            named.update(event.player_ids)
        if event.period_ids is None:
            everything.update(event.player_ids)
        elif event.period_ids:
            key = tuple(event.period_ids), event.totals_removed
            by_periods.setdefault(key, set()).update(event.player_ids)
    if everything:
        key = tuple(load_recent_period_ids(now, LONGEST_KEPT)), False
        by_periods.setdefault(key, set()).update(everything)
    problems: list[str] = []
    for (period_ids, totals_removed), players in by_periods.items():
        for some in _rounds(players):
            problems += apply_players(some, period_ids, now, totals_removed=totals_removed)
    apply_windows(events, now)
    for some in _rounds(named):
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
        periods = [_boards_of(period_id, now) for period_id in some_ids]
        rows = with_former_ids(load_rows(players, some_ids))
        calls, found = calls_of(rows, periods, totals_removed=totals_removed)
        problems += found
        if calls:
            store.run(calls)
    return problems


def _boards_of(period_id: int, now: datetime) -> PeriodBoards:
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
