"""Group commit: single posts that arrive together are written by one transaction, each with its own answer.

Whoever comes while no flush is under way starts one at once, so a lone post waits for nobody. What arrives meanwhile is
collected for the next: the wait is as long as a transaction, and no longer.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import NamedTuple

from leaderboard_site.door.turns import Turns
from scoring.acceptance import Outcome
from scoring.errors import Overloaded
from scoring.intake import Addressed
from scoring.together import Fate

MOST_TOGETHER = 500
"""Scores in one transaction; beyond that a larger statement gains nothing, and its senders wait longer."""


HELD_UP_SECONDS = 0.025
"""A flush takes 3 to 10 milliseconds under full load."""


Accept = Callable[[Sequence[Addressed]], Awaitable[list[Fate]]]
"""Writes scores, one of a player, and tells what became of each."""


class Member(NamedTuple):
    score: Addressed
    fate: asyncio.Future[Fate]


class Commits:
    """Scores waiting for their transaction. To be used in one event loop."""

    def __init__(self, accept: Accept, *, flushes: int, waiting: int) -> None:
        """Up to `flushes` transactions at once, if they are held up; up to `waiting` scores in line for them."""
        self._accept = accept
        self._most_waiting = waiting
        self._turns = Turns(flushes, HELD_UP_SECONDS, self._start)
        # By player, in the order they came. Of one player a flush takes one score: each answer tells the totals as they are
        # after this score and before the next, as if they had been sent one after another.
        self._waiting: dict[str, deque[Member]] = {}
        self._waiting_count = 0

    async def accept(self, score: Addressed) -> Outcome:
        """The outcome, durable. Overloaded, and nothing was saved; or the database's own error. Cancelling changes nothing."""
        if self._waiting_count >= self._most_waiting:
            raise Overloaded("too many scores are waiting to be saved", retry_after_seconds=1)
        loop = asyncio.get_running_loop()
        member = Member(score, loop.create_future())
        self._waiting.setdefault(score.submission.player_id, deque()).append(member)
        self._waiting_count += 1
        if self._turns.are_free():
            # After all that is ready in this turn.
            loop.call_soon(self._start)
        fate = await member.fate
        if isinstance(fate, Exception):
            raise fate
        return fate

    async def drain(self) -> None:
        """Return when all that waited is written."""
        self._start()
        await self._turns.drain()

    def _start(self) -> None:
        while self._waiting and self._turns.are_free():
            self._turns.start(self._flush(self._take()))

    def _take(self) -> list[Member]:
        """The first score of each of the players who have waited longest; their next ones go to the end of the line."""
        taken = []
        for player_id in list(self._waiting)[:MOST_TOGETHER]:
            members = self._waiting.pop(player_id)
            taken.append(members.popleft())
            if members:
                self._waiting[player_id] = members
        self._waiting_count -= len(taken)
        return taken

    async def _flush(self, members: list[Member]) -> Callable[[], None]:
        scores = [member.score for member in members]
        fates: list[Fate]
        try:
            fates = await self._accept(scores)
        except Exception as error:
            fates = [error] * len(members)
        return partial(_answer, members, fates)


def _answer(members: list[Member], fates: Sequence[Fate]) -> None:
    for member, fate in zip(members, fates, strict=True):
        # Its sender may have hung up.
        if not member.fate.done():
            member.fate.set_result(fate)
