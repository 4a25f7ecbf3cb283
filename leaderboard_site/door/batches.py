"""Batches stand in line: each is one transaction, of a few hundred scores already."""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial

from leaderboard_site.door.threads import Threads, with_database
from leaderboard_site.door.turns import Turns
from scoring.api.reply import Reply
from scoring.errors import Overloaded

HELD_UP_SECONDS = 0.06
"""A batch of 500 takes some 40 milliseconds under full load."""


class Batches:
    """Batches waiting for their turn. To be used in one event loop."""

    def __init__(self, *, together: int, at_once: int, waiting: int) -> None:
        """`together` transactions, up to `at_once` if some are held up; up to `waiting` batches in line for them."""
        self._most_waiting = waiting
        self._threads = Threads("batch", at_once, waiting=0)
        self._turns = Turns(at_once, HELD_UP_SECONDS, self._start, together=together)
        self._waiting: deque[tuple[Callable[[], Reply], asyncio.Future[Reply]]] = deque()

    async def accept(self, accept: Callable[[], Reply]) -> Reply:
        """Its reply. Overloaded, and nothing was saved; or what `accept` raises. Cancelling changes nothing."""
        if len(self._waiting) >= self._most_waiting:
            raise Overloaded("too many batches are waiting to be saved", retry_after_seconds=1)
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append((accept, reply))
        self._start()
        return await reply

    async def drain(self) -> None:
        """Return when all that waited is written, and the threads have ended."""
        await self._turns.drain()
        self._threads.close()

    def _start(self) -> None:
        while self._waiting and self._turns.are_free():
            self._turns.start(self._write(*self._waiting.popleft()))

    async def _write(self, accept: Callable[[], Reply], reply: asyncio.Future[Reply]) -> Callable[[], None]:
        try:
            written = await self._threads.run(with_database(accept))
        except Exception as error:
            return partial(_answer, reply, error)
        return partial(_answer, reply, written)


def _answer(reply: asyncio.Future[Reply], written: Reply | Exception) -> None:
    # Its sender may have hung up.
    if reply.done():
        return
    if isinstance(written, Exception):
        reply.set_exception(written)
    else:
        reply.set_result(written)
