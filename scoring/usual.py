"""Scores as they nearly always are: written by statements that somebody else runs, without waiting for anything.

For who must not wait, as an event loop. A pure question, which is a whole transaction, and what its answer means; whatever is
unusual (a new player, a name, a closed period) goes the long way, by `scoring.together`.
"""

from collections.abc import Container, Sequence
from datetime import datetime
from typing import Any

from psycopg.errors import DivisionByZero

from scoring.acceptance import Outcome, PeriodsSealed, Share, Stored
from scoring.database import Question
from scoring.intake import Addressed
from scoring.ledger_locks import share_question
from scoring.period_rows import PeriodNotKnown
from scoring.profiles import ProfilesDiffer
from scoring.ranking import Operator
from scoring.together import Fate, accept_together

TotalsBeyond = DivisionByZero
"""What the database raises when totals would be out of range: nothing is saved, and all scores are to go the long way."""


class UsualScores:
    """Scores of one transaction, one of a player at the most."""

    def __init__(self, scores: Sequence[Addressed], now: datetime, apart: Container[int] = ()) -> None:
        """`apart`: leaderboards whose scores are to go the long way at once, by primary key."""
        self._scores = scores
        self._fates: dict[int, Fate] = {}
        # What is to go the long way, and what was written of those shares that left a question.
        self._unwritten: list[int] = []
        self._unsettled: list[tuple[Share, dict[int, Stored]]] = []
        shares: dict[int, Share] = {}
        for place, (submission, rules) in enumerate(scores):
            # Of other operators the statement does not tell the totals.
            if rules.operator is not Operator.ADD or rules.leaderboard_id in apart:
                self._unwritten.append(place)
                continue
            share = shares.get(rules.leaderboard_id)
            if share is None:
                share = shares[rules.leaderboard_id] = Share(rules, now, may_open=False)
            try:
                problem = share.add(place, submission)
            except PeriodNotKnown:
                self._unwritten.append(place)
                continue
            if problem is not None:
                self._fates[place] = problem
        # In one order, as intake takes its locks: ledgers first, then leaderboard by leaderboard.
        self._shares = [(share, items) for _, share in sorted(shares.items()) if (items := share.accepted_items())]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be written."""
        return not self._shares

    @property
    def leaderboard_ids(self) -> set[int]:
        """Of those that are to be written."""
        return {share.leaderboard_id for share, _ in self._shares}

    def questions(self) -> list[Question]:
        """To be asked one after another in a transaction, which may be committed whatever they answer."""
        return [
            *(share_question(share.leaderboard_id) for share, _ in self._shares),
            *(share.question(items, with_totals=True, fails_beyond=True) for share, items in self._shares),
        ]

    def read(self, answers: Sequence[Sequence[tuple[Any, ...]]]) -> None:
        """Take the rows that answered each, once they are committed."""
        for (share, items), (row,) in zip(self._shares, answers[len(self._shares) :], strict=True):
            try:
                stored = share.read(items, row)
            except (ProfilesDiffer, PeriodsSealed):
                # Then its statement has written nothing at all.
                self._unwritten += [item.place for item in items]
                continue
            share.tell_totals(stored)
            if share.untold_players(stored):
                self._unsettled.append((share, stored))
                continue
            self._fates.update(stored)
            if len(stored) < len(items):
                self._unsettled.append((share, stored))

    @property
    def is_settled(self) -> bool:
        """Whether all fates are known, and `settle` has nothing to do."""
        return not (self._unwritten or self._unsettled)

    def settle(self, now: datetime) -> None:
        """Send what is not written the long way; look up what the ledger has had before, and totals that were not told.

        For who may wait; 2 queries a leaderboard for the latter. Raises the database's errors for these only.
        """
        if self._unwritten:
            unwritten = [self._scores[place] for place in self._unwritten]
            self._fates.update(zip(self._unwritten, accept_together(unwritten, now), strict=True))
        for share, stored in self._unsettled:
            outcomes: dict[int, Outcome] = {**stored, **share.compare_repeats(stored)}
            share.add_totals(outcomes)
            self._fates.update(outcomes)

    def fates(self, problem: Exception | None = None) -> list[Fate]:
        """What became of each score, in the order given; `problem` is that of those which could not be settled."""
        fates: list[Fate] = []
        for place in range(len(self._scores)):
            fate = self._fates.get(place, problem)
            assert fate is not None
            fates.append(fate)
        return fates
