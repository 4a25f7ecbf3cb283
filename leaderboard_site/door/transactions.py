"""Transactions of usual scores on the event loop's own connections: nobody waits for a thread, nor a thread for the loop."""

import time
from collections.abc import Mapping
from typing import Any

import psycopg

from leaderboard_site.door.session import Session
from scoring.usual import UsualScores

PAUSE_SECONDS = 1.0
"""How often a database that can't be reached is tried."""


class Transactions:
    """To be used in one event loop."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        """`parameters`: Django's, of its own connections."""
        self._keeps_plans = parameters.get("prepare_threshold") is not None
        self._parameters = {**parameters, "autocommit": True}
        # Of Django's cursors, which wait.
        self._parameters.pop("cursor_factory", None)
        self._free: list[Session] = []
        self._try_after = 0.0

    async def commit(self, scores: UsualScores) -> None:
        """Write them; durable when this returns. 1 round trip.

        psycopg.Error: nothing was saved, unless the connection was lost after all was sent.
        """
        session = self._free.pop() if self._free else await self._connect()
        try:
            answers = await session.transact(scores.questions())
        finally:
            if session.is_usable:
                self._free.append(session)
            else:
                await session.close()
        scores.read(answers)

    async def close(self) -> None:
        while self._free:
            await self._free.pop().close()

    async def _connect(self) -> Session:
        if time.monotonic() < self._try_after:
            raise psycopg.OperationalError("the database could not be reached a moment ago")
        try:
            connection = await psycopg.AsyncConnection.connect(**self._parameters)
        except psycopg.Error:
            self._try_after = time.monotonic() + PAUSE_SECONDS
            raise
        return Session(connection, keeps_plans=self._keeps_plans)
