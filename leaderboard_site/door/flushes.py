"""A flush: scores that came together, written by one transaction; each gets its own answer.

In the event loop as long as they are usual, which nearly all are. What is not goes the long way, in a thread, where it is safe to
wait; all do, if that fails.
"""

import logging
import time
from collections.abc import Collection, Sequence

import psycopg
from django.utils import timezone

from leaderboard_site.door.threads import Threads, with_database
from leaderboard_site.door.transactions import Transactions
from scoring.intake import Addressed
from scoring.models import OutboxEvent
from scoring.outbox import announce
from scoring.together import Fate, accept_together
from scoring.usual import TotalsBeyond, UsualScores

log = logging.getLogger(__name__)


APART_SECONDS = 10.0
"""How long scores of a leaderboard go the long way after totals of it were out of range: each time costs the others of the flush
a second try, and PostgreSQL writes it into its log."""


class Flushes:
    """To be used in one event loop."""

    def __init__(self, transactions: Transactions, at_once: int) -> None:
        self._transactions = transactions
        self._threads = Threads("flush", at_once, waiting=0)
        self._apart_until: dict[int, float] = {}

    async def accept(self, scores: Sequence[Addressed]) -> list[Fate]:
        """What became of each: durable, or not saved. One score of a player at the most."""
        usual = UsualScores(scores, timezone.now(), self._apart())
        try:
            if not usual.is_empty:
                await self._transactions.commit(usual)
                announce(OutboxEvent.Queue.LIVE)
        except TotalsBeyond:
            self._apart_until.update(dict.fromkeys(usual.leaderboard_ids, time.monotonic() + APART_SECONDS))
            return await self._accept_the_long_way(scores)
        except psycopg.Error as error:
            # If the connection was lost in the end, they may be found to be stored already.
            log.warning("%s scores go the long way: %s", len(scores), error)
            return await self._accept_the_long_way(scores)
        if usual.is_settled:
            return usual.fates()
        try:
            await self._threads.run(with_database(lambda: usual.settle(timezone.now())))
        except Exception as error:
            # Theirs, and not that of those beside them, which are stored.
            return usual.fates(error)
        return usual.fates()

    async def close(self) -> None:
        """Return when the threads have ended and the connections are closed."""
        self._threads.close()
        await self._transactions.close()

    async def _accept_the_long_way(self, scores: Sequence[Addressed]) -> list[Fate]:
        return await self._threads.run(with_database(lambda: accept_together(scores, timezone.now())))

    def _apart(self) -> Collection[int]:
        """The leaderboards whose scores go the long way at the moment."""
        if self._apart_until:
            now = time.monotonic()
            self._apart_until = {key: until for key, until in self._apart_until.items() if now < until}
        return self._apart_until
