"""Recount: totals against the ledger. Exact at any moment: both are read in one snapshot, a portion of players at a time."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction

from scoring.database import array_of_numbers, fetch_all
from scoring.fold_sources import LEDGER, FoldSource
from scoring.ledger_locks import hold_ledgers
from scoring.models import Correction, Period
from scoring.moderation.decisions import Decision, finish, lock_players, note
from scoring.moderation.refolding import refold
from scoring.points import Points, from_units
from scoring.rules import Rules
from scoring.sql import statement

PLAYERS_AT_ONCE = 2_000


class Miscount(NamedTuple):
    """A total that is not the fold of the ledger; points of None where there is, or should be, none.

    Where points and acceptance numbers agree, it is details or time that do not.
    """

    player: int
    """Primary key."""
    player_id: str
    period: str
    points: Points | None
    accept_no: int | None
    folded_points: Points | None
    folded_accept_no: int | None


class Portion(NamedTuple):
    """The miscounts among some players; `last` is the last one's primary key, from which a recount can be taken up."""

    miscounts: list[Miscount]
    last: int


def load_periods(rules: Rules, labels: Sequence[str]) -> list[Period]:
    """The leaderboard's periods with these labels, all without any. ValueError names a label that it does not have."""
    periods = Period.objects.filter(leaderboard_id=rules.leaderboard_id).order_by("id")
    if not labels:
        return list(periods)
    found = list(periods.filter(label__in=labels))
    if unknown := set(labels) - {period.label for period in found}:
        raise ValueError(f"{rules.slug} has no period {min(unknown)!r}")
    return found


def recount(rules: Rules, periods: Sequence[Period], after: int = 0) -> Iterator[Portion]:
    """Compare all players' totals of these periods with the ledger, in the order of primary keys, beginning after one.

    1 statement a portion, with an index look-up for each of the players' events. Nothing is written.
    """
    while portion := load_portion(rules, periods, after, LEDGER, PLAYERS_AT_ONCE):
        after = portion.last
        yield portion


def load_portion(
    rules: Rules, periods: Sequence[Period], after: int, source: FoldSource, player_limit: int
) -> Portion | None:
    """Compare the totals of the next players with what they should be by the source; None if there are no more. 1 statement."""
    labels = {period.pk: period.label for period in periods}
    rows = fetch_all(
        statement("recount", folded="folded", fold=f"refold_{rules.operator}", **source.fragments),
        {
            **source.parameters,
            "leaderboard_id": rules.leaderboard_id,
            "period_ids": array_of_numbers(labels),
            "direction": rules.order.direction,
            "after": after,
            "player_limit": player_limit,
        },
    )
    if not rows:
        return None
    miscounts = [_miscount(rules, labels, row) for row in rows if row[1] is not None]
    return Portion(sorted(miscounts), next(row[0] for row in rows if row[1] is None))


def _miscount(rules: Rules, labels: dict[int, str], row: tuple[Any, ...]) -> Miscount:
    player, player_id, period_id, points, accept_no, folded_points, folded_accept_no = row

    def shown(units: int | None) -> Points | None:
        return None if units is None else from_units(units, rules.scale)

    return Miscount(
        player, player_id, labels[period_id], shown(points), accept_no, shown(folded_points), folded_accept_no
    )


class Fixer:
    """One correction for all miscounts of a recount; made with the first of them, so that none is kept for none.

    `choose_source` is asked in each transaction, while the ledger is held, and given this correction.
    """

    def __init__(
        self,
        rules: Rules,
        periods: Sequence[Period],
        decision: Decision,
        clock: Callable[[], datetime],
        choose_source: Callable[[Correction], FoldSource] = lambda _: LEDGER,
    ) -> None:
        self._rules = rules
        self._periods = periods
        self._decision = decision
        self._clock = clock
        self._choose_source = choose_source
        self._correction: Correction | None = None

    def fix(self, miscounts: Sequence[Miscount]) -> int:
        """Make these players' totals the fold of the source; how many changed. One transaction, which holds the ledger.

        Boards are told by the outbox. PointsOutOfRange if a fold does not fit: then nothing of this portion is changed.
        """
        if not miscounts:
            return 0
        with transaction.atomic():
            hold_ledgers([self._rules.leaderboard_id])
            correction = self._noted()
            players = [player.pk for player in lock_players(sorted({miscount.player for miscount in miscounts}))]
            source = self._choose_source(correction)
            changed = refold(self._rules, players, self._periods, correction, self._clock(), source=source)
            finish(correction, self._clock())
        self._correction = correction
        return len(changed)

    def _noted(self) -> Correction:
        if self._correction is not None:
            return self._correction
        kind, leaderboard_id = Correction.Kind.RECOUNT, self._rules.leaderboard_id
        return note(kind, self._decision, leaderboard_id=leaderboard_id, reopen=True).correction
