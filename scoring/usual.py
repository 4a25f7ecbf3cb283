"""Scores as they nearly always are: written by statements that somebody else runs, without waiting for anything.

For who must not wait, as an event loop. A pure question, and what its answer means; whatever is unusual (a new player, a name, a
closed period) goes the long way, by `scoring.together`.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from scoring.acceptance import Outcome, PeriodsSealed, Share, TotalsOutOfRange
from scoring.database import Question
from scoring.intake import Addressed
from scoring.ledger_locks import share_question
from scoring.period_rows import PeriodNotKnown
from scoring.profiles import ProfilesDiffer
from scoring.ranking import Operator
from scoring.together import Fate


class Unusual(Exception):
    """These scores are to go the long way. Whatever was written must be rolled back."""


class UsualScores:
    """Scores of one transaction, one of a player at the most."""

    def __init__(self, scores: Sequence[Addressed], now: datetime) -> None:
        """Raises Unusual."""
        self._count = len(scores)
        self._outcomes: dict[int, Outcome] = {}
        shares: dict[int, Share] = {}
        for place, (submission, rules) in enumerate(scores):
            if rules.operator is not Operator.ADD:
                # The statement does not tell its totals.
                raise Unusual
            share = shares.get(rules.leaderboard_id)
            if share is None:
                share = shares[rules.leaderboard_id] = Share(rules, now, may_open=False)
            try:
                problem = share.add(place, submission)
            except PeriodNotKnown:
                raise Unusual from None
            if problem is not None:
                self._outcomes[place] = problem
        # In one order, as intake takes its locks: ledgers first, then leaderboard by leaderboard.
        self._shares = [(share, items) for _, share in sorted(shares.items()) if (items := share.accepted_items())]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be written."""
        return not self._shares

    def locks(self) -> list[Question]:
        """To be asked first, each a statement of its own; what they answer does not matter."""
        return [share_question(share.leaderboard_id) for share, _ in self._shares]

    def questions(self) -> list[Question]:
        """To be asked then, in the same transaction; each answers with one row."""
        return [share.question(items, with_totals=True) for share, items in self._shares]

    def read(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Take the answers, in the order of the questions. Raises Unusual."""
        for (share, items), row in zip(self._shares, rows, strict=True):
            try:
                stored = share.read(items, row)
            except (ProfilesDiffer, PeriodsSealed, TotalsOutOfRange):
                raise Unusual from None
            if share.untold_players(stored):
                raise Unusual
            share.tell_totals(stored)
            self._outcomes.update(stored)

    @property
    def has_repeats(self) -> bool:
        return len(self._outcomes) < self._count

    def compare_repeats(self) -> None:
        """Look up what the ledger has had before, once the transaction is committed. For who may wait: 2 queries a leaderboard."""
        for share, _ in self._shares:
            repeats = share.compare_repeats(self._outcomes)
            share.add_totals(repeats)
            self._outcomes.update(repeats)

    def fates(self, problem: Exception | None = None) -> list[Fate]:
        """What became of each score, in the order given; `problem` is that of repeats which could not be looked up."""
        fates: list[Fate] = []
        for place in range(self._count):
            fate = self._outcomes.get(place, problem)
            assert fate is not None
            fates.append(fate)
        return fates
