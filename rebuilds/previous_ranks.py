"""Bringing the ranks of the newest snapshot to the boards, for leaderboards whose entries show them.

The global board of each period is asked which snapshot it shows, and is the last one to be given another: so whatever Redis has
lost of a period's ranks, that board has lost its own, and all are filled in once more.
"""

import logging
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

from boards.board_ids import GLOBAL, Board
from boards.previous import begin_previous, fill_previous, read_shown_snapshots, swap_previous
from rebuilds.leisure import Leisure
from rebuilds.sql import statement
from scoring.database import fetch_all
from scoring.models import ReviewState, SnapshotPeriod, StandingsSnapshot
from scoring.rules import Rules, all_rules
from scoring.totals import load_scopes

log = logging.getLogger(__name__)

ENTRIES_AT_ONCE = 4_000


class CopyLost(Exception):
    """Another worker has taken over, or Redis has lost the copy, or the snapshot is being pruned."""


def show_previous_ranks(now: datetime) -> int:
    """Have the open boards show the ranks of the newest snapshot; how many periods had to be filled in. Repeatable.

    Where nothing is missing: a query and a round trip a leaderboard that shows them. BoardsUnavailable; then it is for later.
    """
    filled = 0
    for rules in all_rules().values():
        if rules.show_previous_rank:
            filled += sum(_fill(rules, period, board) for period, board in _lacking(rules, now))
    return filled


def _lacking(rules: Rules, now: datetime) -> list[tuple[SnapshotPeriod, Board]]:
    """The periods whose boards show another snapshot, or none, with their global board."""
    snapshot = StandingsSnapshot.objects.whole().filter(leaderboard_id=rules.leaderboard_id).first()
    if snapshot is None:
        return []
    periods = snapshot.periods.select_related("snapshot", "period").order_by("pk")
    boards = [(period, Board(rules, rules.window_of(period.period.label), GLOBAL)) for period in periods]
    open_boards = [(period, board) for period, board in boards if not board.is_closed_at(now)]
    shown = read_shown_snapshots([board.id for _, board in open_boards])
    return [one for one, number in zip(open_boards, shown, strict=True) if number != snapshot.pk]


def _fill(rules: Rules, period: SnapshotPeriod, board: Board) -> bool:
    number = period.snapshot_id
    if not begin_previous(board.id, number):
        return False
    try:
        _fill_all(rules, period, board)
    except CopyLost:
        log.warning(
            "the ranks of %s are not brought to %s:%s this time", period.snapshot, rules.slug, board.window.label
        )
        return False
    return True


def _fill_all(rules: Rules, period: SnapshotPeriod, board: Board) -> None:
    number = period.snapshot_id
    prefix = f"{rules.slug}:{board.window.label}:"
    begun = {board.id}
    leisure = Leisure()
    for rows in _portions(period):
        ranks: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for player_id, scopes, places in rows:
            for scope, rank in zip(scopes, places, strict=True):
                ranks[prefix + scope].append((player_id, rank))
        if not fill_previous(ranks, number, begun):
            raise CopyLost
        leisure.rest()
    if not StandingsSnapshot.objects.whole().filter(pk=number).exists():
        raise CopyLost
    others = begun | {prefix + scope for scope in load_scopes(period.period_id, rules.scopes)}
    for board_id in (*sorted(others - {board.id}), board.id):
        if not swap_previous(board_id, number, board.kept_seconds, has_copy=board_id in begun):
            raise CopyLost


def _portions(period: SnapshotPeriod) -> Iterator[list[tuple[str, list[str], list[int]]]]:
    after = 0
    parameters = {
        "snapshot_period_id": period.pk,
        "entries": ENTRIES_AT_ONCE,
        "shown_state": int(ReviewState.CLEAR),
    }
    while rows := fetch_all(statement("load_snapshot_ranks"), {**parameters, "after": after}):
        after = rows[-1][0]
        yield [(player_id, scopes, ranks) for _, player_id, scopes, ranks in rows if player_id is not None]
