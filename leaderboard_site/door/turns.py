"""Whose turn it is to write: a few at a time, and one more beside each that is held up.

More transactions beside each other only take the processor from one another, and from the workers that bring their scores to
the boards: docs/decisions/0019-group-commit.md has the figures. What is held up, by a lock or a full disk, takes nothing.
"""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial

Work = Coroutine[None, None, Callable[[], None]]
"""Raises nothing, and returns what is to be done when the next has begun: to answer takes longer than to begin."""


class Turns:
    """To be used in one event loop."""

    def __init__(self, most: int, held_up_seconds: float, when_free: Callable[[], None], *, together: int = 1) -> None:
        """Up to `together` at once, and up to `most` if some take longer than `held_up_seconds`. `when_free` is called when the
        next may start."""
        self._together = together
        self._most = most
        self._held_up_seconds = held_up_seconds
        self._when_free = when_free
        self._under_way: set[asyncio.Task[Callable[[], None]]] = set()
        self._held_up: set[asyncio.Task[Callable[[], None]]] = set()

    def are_free(self) -> bool:
        return len(self._under_way) < min(self._most, self._together + len(self._held_up))

    def start(self, work: Work) -> None:
        """Begin the work. Its turn ends with it, whoever waits for it or does not."""
        loop = asyncio.get_running_loop()
        task = loop.create_task(work)
        self._under_way.add(task)
        alarm = loop.call_later(self._held_up_seconds, self._hold_up, task)
        task.add_done_callback(partial(self._end, alarm))

    async def drain(self) -> None:
        """Return when nothing is under way any more, nor started by `when_free`."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    def _hold_up(self, task: asyncio.Task[Callable[[], None]]) -> None:
        self._held_up.add(task)
        self._when_free()

    def _end(self, alarm: asyncio.TimerHandle, task: asyncio.Task[Callable[[], None]]) -> None:
        alarm.cancel()
        self._held_up.discard(task)
        self._under_way.discard(task)
        self._when_free()
        # Whatever has started just now stands in the loop's line before those who are answered.
        answer = task.result()
        answer()
