"""A bounded number of threads, with a bounded line before them: where the door sends what must wait."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import close_old_connections

from scoring.errors import Overloaded

T = TypeVar("T")


class Threads:
    def __init__(self, name: str, count: int, *, waiting: int) -> None:
        """`waiting`: how many may stand in line; more are told to come back."""
        self._most_under_way = count + waiting
        self._under_way = 0
        self._executor = ThreadPoolExecutor(count, thread_name_prefix=name)

    async def run(self, work: Callable[[], T]) -> T:
        """Its result. Overloaded if too many wait. Work that has begun ends, whether somebody still waits for it or not."""
        if self._under_way >= self._most_under_way:
            raise Overloaded("too many requests are waiting for their turn", retry_after_seconds=1)
        self._under_way += 1
        running = asyncio.get_running_loop().run_in_executor(self._executor, work)
        running.add_done_callback(self._done)
        return await asyncio.shield(running)

    def close(self) -> None:
        """Return when all is done."""
        self._executor.shutdown()

    def _done(self, _: object) -> None:
        self._under_way -= 1


def with_database(work: Callable[[], T]) -> Callable[[], T]:
    """The work, after which the thread's connection goes back to the pool, as after each request of Django's."""

    def run() -> T:
        try:
            return work()
        finally:
            close_old_connections()

    return run
