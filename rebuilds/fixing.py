"""Putting single entries right, by the same script that applies scores. What it can't put right, a rebuild can."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F

from boards import store
from boards.apply import apply_players
from boards.copies import Copy
from boards.window_writes import calls_of, days_of
from boards.writes import REMOVED, BoardWrites
from rebuilds.comparing import Difference, Kind, settle
from rebuilds.truth import Truth
from rebuilds.verifying import PATIENCE_SECONDS
from scoring.ledger_locks import share_ledgers
from scoring.models import Total
from scoring.periods import CustomWindow


def fix(truth: Truth, differences: Sequence[Difference], now: datetime) -> list[Difference]:
    """Write these players' rows to the live board again, remove those who have none, and look again; what is left.

    First as any late worker would. An entry that is too good for its epoch does not fall by that: its row begins a new one.
    Repeatable; NotSettled as for `settle`. A few round trips for all together.
    """
    _apply(truth, differences, now)
    left = _look_again(truth, differences)
    # A score that arrived between the look and the removal would have been removed with it: then it is missing by now.
    if too_good := [difference for difference in left if _has_total(difference)]:
        _begin_epoch(truth, _primary_keys(too_good))
        _apply(truth, left, now)
        left = _look_again(truth, left)
    return left


def _apply(truth: Truth, differences: Sequence[Difference], now: datetime) -> None:
    if isinstance(truth.board.window, CustomWindow):
        rows = days_of(truth.board).load_players(sorted({difference.player_id for difference in differences}))
        store.run(calls_of(truth.board, rows, removing=True))
        return
    apply_players(_primary_keys(filter(_has_total, differences)), [truth.period_id], now)
    extra = [difference for difference in differences if difference.kind is Kind.EXTRA]
    if extra:
        board = truth.board
        writes = BoardWrites(board.id, board.kept, may_begin=not board.is_closed_at(now))
        for _, player_id, _, _, known in extra:
            writes.by_epoch += (player_id.encode(errors="surrogateescape"), known.epoch if known else 0, REMOVED)
        store.run([writes.call()])


def _look_again(truth: Truth, differences: Iterable[Difference]) -> list[Difference]:
    suspects = {difference.player_id for difference in differences}
    return settle(truth, Copy.live(truth.board.id), suspects, PATIENCE_SECONDS).differences


def _begin_epoch(truth: Truth, players: list[int]) -> None:
    """Have these totals overrule whatever the boards show. The caller tells them at once, so no outbox event is left."""
    totals = Total.objects.filter(period_id=truth.period_id, player_id__in=players)
    with transaction.atomic():
        share_ledgers([truth.board.rules.leaderboard_id])
        # In the order in which everybody locks totals.
        list(totals.select_for_update().order_by("player_id").values_list("player_id"))
        totals.update(epoch=F("epoch") + 1)


def _has_total(difference: Difference) -> bool:
    return difference.known is not None and difference.known.has_total


def _primary_keys(differences: Iterable[Difference]) -> list[int]:
    return sorted(difference.known.primary_key for difference in differences if difference.known)
