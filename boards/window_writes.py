"""Custom windows follow scores: whoever applies outbox events also writes their players' rows to the windows concerned.

Rows are read after the list of windows, each window's in one snapshot, whose number decides on each board which of two writes is
the newer one (see apply_window.lua). So this may be repeated, late, and in any order, like all that is applied.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby

from boards import store
from boards.board_ids import Board
from boards.keys import board_keys, built_key
from boards.store import Argument, BoardsUnavailable, Call
from boards.windows import FOLLOWED, give_up, list_followed
from boards.writes import REMOVED, scopes_of
from scoring.models import OutboxEvent
from scoring.packing import Unpackable
from scoring.periods import CustomWindow
from scoring.totals import load_period
from scoring.window_totals import DaysOf, WindowPlayer

log = logging.getLogger(__name__)

PLAYERS_A_ROUND = 2_000


def apply_windows(events: Sequence[OutboxEvent], now: datetime) -> None:
    """Write the current rows of whom these events are about to the custom windows, where they are concerned. Repeatable.

    Should that fail by itself, the windows are built anew: they must not hold up the boards. 1 round trip if there are none,
    and 1 for each of the queries of `load_window_calls`. BoardsUnavailable.
    """
    # The list before the rows: see `boards.windows`.
    windows = list_followed(now) if events else []
    try:
        for calls in load_window_calls(events, windows):
            store.run(calls)
    except BoardsUnavailable:
        raise
    except Exception:
        log.exception(
            "%s custom windows could not follow %s outbox events, and are built anew", len(windows), len(events)
        )
        give_up(windows)


def load_window_calls(events: Sequence[OutboxEvent], windows: Iterable[Board]) -> Iterator[list[Call]]:
    """What is to be written, as the rows are when it is asked for, a round at a time.

    Scores concern the windows that hold one of their days, corrections all of them: also who moves to another segment
    leaves a window of days that are closed. 1 query for each PLAYERS_A_ROUND players and run of days, whatever the number of its
    scopes.
    """
    corrections = [event for event in events if event.queue == OutboxEvent.Queue.CORRECTIONS]
    corrected = {player for event in corrections for player in event.player_ids}
    for days, boards in _by_days(windows):
        own_periods = _periods_of(days, events)
        concerned = (event for event in events if not own_periods.isdisjoint(event.period_ids or ()))
        raised = {player for event in concerned for player in event.player_ids} - corrected
        for players, removing in ((sorted(raised), False), (sorted(corrected), True)):
            for first in range(0, len(players), PLAYERS_A_ROUND):
                rows = days.load_players_by_key(players[first : first + PLAYERS_A_ROUND])
                if calls := [call for board in boards for call in calls_of(board, rows, removing=removing)]:
                    yield calls


def forget_former_id(former_id: str, player: int, windows: Iterable[Board]) -> int:
    """Take the last traces of an erased player, by former id and primary key; on how many windows there were any. Repeatable.

    1 query for each run of days, and 2 round trips. BoardsUnavailable.
    """
    windows = list(windows)
    for days, boards in _by_days(windows):
        # Should an outbox event still wait: it would not know whom to remove any more.
        rows = days.load_players_by_key([player])
        store.run([call for board in boards for call in calls_of(board, rows, removing=True)])
    keys = [board_keys(board.id) for board in windows]
    return sum(store.run([Call("forget_window", (one.live, one.staging, one.fence), (former_id,)) for one in keys]))


def _by_days(windows: Iterable[Board]) -> list[tuple[DaysOf, list[Board]]]:
    """The boards that differ in their scope alone together."""
    in_order = sorted(windows, key=lambda board: board.id)
    groups = groupby(in_order, key=lambda board: (board.rules.slug, board.window.label))
    together = [list(boards) for _, boards in groups]
    return [(days_of(boards[0]), boards) for boards in together]


def days_of(board: Board) -> DaysOf:
    """What a custom window's board is made of."""
    assert isinstance(board.window, CustomWindow)
    return DaysOf(board.rules, board.window)


def _periods_of(days: DaysOf, events: Iterable[OutboxEvent]) -> set[int]:
    """Of the periods that these events are about, those that are days of the window."""
    period_ids = {period_id for event in events for period_id in event.period_ids or ()}
    periods = {period_id: load_period(period_id) for period_id in period_ids}
    return {
        period_id
        for period_id, period in periods.items()
        if period.leaderboard_slug == days.rules.slug and days.window.has_period(period.label)
    }


def calls_of(board: Board, rows: Iterable[WindowPlayer], *, removing: bool) -> list[Call]:
    """The write of these rows, of one reading, to one board; none if it has none to take.

    `removing`: also take off whoever is not to be on it. A total that fits into no score is not shown.
    """
    writes: list[Argument] = []
    details: list[Argument] = []
    snapshot_no = 0
    for row in rows:
        snapshot_no = row.snapshot_no
        packed = packed_on(board, row)
        if packed is not None or removing or is_member(board, row):
            writes += (row.player_id, REMOVED if packed is None else packed)
        if packed is not None and row.details is not None:
            details += (row.player_id, row.details)
    if not writes:
        return []
    keys = (*board_keys(board.id), built_key(board.id))
    fence_ms = int(FOLLOWED.total_seconds() * 1000)
    return [Call("apply_window", keys, [snapshot_no, len(writes) // 2, fence_ms, *writes, *details])]


def packed_on(board: Board, row: WindowPlayer) -> int | str | None:
    """What a board shows of a row; None if the player is not on it, or the total fits into no score."""
    if not is_member(board, row) or row.points is None or row.accept_no is None:
        return None
    try:
        return board.rules.packing.pack(row.points, row.accept_no)
    except Unpackable:
        return None


def is_member(board: Board, row: WindowPlayer) -> bool:
    """Whether a total of this row would be shown on the board."""
    return row.is_clear and row.segments is not None and board.scope in scopes_of(row.segments, board.rules.scopes)
