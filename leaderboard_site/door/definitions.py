"""Keeps the process's copies of rules and keys fresh, so that the event loop never waits for PostgreSQL."""

import asyncio
from collections.abc import Sequence
from typing import Any

from leaderboard_site.door.threads import Threads, with_database
from scoring.snapshot import Snapshot

PATIENCE_SECONDS = 0.25
"""How long a request waits for a copy that is too old to be replaced. Longer, and the database is away: the copy has to do."""


class Definitions:
    """Under load the copies are replaced when they are half as old as they may be, so that nobody waits."""

    def __init__(self, snapshots: Sequence[Snapshot[Any]], max_age_seconds: float) -> None:
        self._snapshots = snapshots
        self._max_age_seconds = max_age_seconds
        self._threads = Threads("definitions", 1, waiting=1)
        self._refreshing: asyncio.Task[None] | None = None
        self._began_at = 0.0

    def are_aging(self) -> bool:
        """Whether it is time to call `renew`."""
        return self._age_seconds() * 2 >= self._max_age_seconds

    def are_older_than(self, seconds: float) -> bool:
        return self._age_seconds() > seconds

    async def renew(self, max_age_seconds: float | None = None) -> None:
        """Have them replaced. Return when that is done, or at once if they are younger than that, by default than they may be.

        The database's error if there are none at all.
        """
        max_age_seconds = self._max_age_seconds if max_age_seconds is None else max_age_seconds
        loop = asyncio.get_running_loop()
        age_seconds = self._age_seconds()
        if self._refreshing is None or self._refreshing.done():
            self._began_at = loop.time()
            self._refreshing = loop.create_task(self._threads.run(with_database(self._refresh)))
        if age_seconds == float("inf"):
            await asyncio.shield(self._refreshing)
        elif age_seconds >= max_age_seconds:
            left_seconds = self._began_at + PATIENCE_SECONDS - loop.time()
            await asyncio.wait([self._refreshing], timeout=max(left_seconds, 0))

    def close(self) -> None:
        self._threads.close()

    def _age_seconds(self) -> float:
        return max(snapshot.age_seconds for snapshot in self._snapshots)

    def _refresh(self) -> None:
        for snapshot in self._snapshots:
            snapshot.refresh()
