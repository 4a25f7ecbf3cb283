"""Which boards there are: of a leaderboard, of all. For rebuilds and verifications of many."""

import math
from collections.abc import Iterable, Iterator
from datetime import datetime

from boards.board_ids import GLOBAL, KEPT, Board
from boards.read_counts import load_heats
from scoring.models import Period
from scoring.periods import PeriodKind, Window
from scoring.rules import Rules, all_rules
from scoring.totals import load_scopes


def boards_of(rules: Rules, now: datetime) -> list[Board]:
    """Every board of the leaderboard that can be checked against rows, by period and scope, newest period first.

    Of open periods the global board and those of all scopes that players are or were in; of closed ones the global board, as
    long as it may be in Redis. 1 query, and one a period that reads its totals.
    """
    return [
        Board(rules, window, scope)
        for period_id, window in _windows(rules, now)
        for scope in _scopes(rules, period_id, window, now)
    ]


def all_boards(now: datetime) -> Iterator[Board]:
    """Those of every leaderboard."""
    for rules in all_rules().values():
        yield from boards_of(rules, now)


INTEREST = (PeriodKind.SEASON, PeriodKind.ALL, PeriodKind.DAY, PeriodKind.WEEK, PeriodKind.MONTH)
"""Kinds of periods, those first that are usually read most."""


def most_read_first(boards: Iterable[Board], now: datetime) -> list[Board]:
    """The boards in the order in which players miss them: open ones before closed ones, by how much they are read.

    Those that nobody has counted reads of come after: global ones before segments, then by INTEREST. 1 query.
    """
    heats = load_heats()

    def place(board: Board) -> tuple[bool, float, bool, int]:
        coldness = -heats.get(board.id, -math.inf)
        return board.is_closed_at(now), coldness, board.scope != GLOBAL, INTEREST.index(board.window.kind)

    return sorted(boards, key=place)


def _windows(rules: Rules, now: datetime) -> Iterator[tuple[int, Window]]:
    for period in Period.objects.filter(leaderboard_id=rules.leaderboard_id):
        kind = PeriodKind(period.kind)
        kept = KEPT[kind]
        if kept is None or period.ends_at is None or now < period.ends_at + kept:
            yield period.pk, Window(kind, period.label, period.starts_at, period.ends_at)


def _scopes(rules: Rules, period_id: int, window: Window, now: datetime) -> Iterable[str]:
    if Board(rules, window, GLOBAL).is_closed_at(now):
        return [GLOBAL]
    return [GLOBAL, *load_scopes(period_id, rules.scopes)] if rules.scopes else [GLOBAL]
