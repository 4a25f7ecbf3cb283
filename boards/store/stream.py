"""Redis for an event loop: what is asked in one turn of the loop goes out as one pipeline, on one connection.

The protocol is spoken here, since redis-py's own pipelines cost an event loop 17 to 34 µs of CPU a call (measured), this 5 to
10. Connecting stays redis-py's: addresses, TLS, passwords.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Iterable
from typing import Any, NamedTuple

import hiredis
import redis
from django.conf import settings
from redis import asyncio as redis_asyncio

from boards import store
from boards.store import Call

log = logging.getLogger(__name__)

NO_SCRIPT = "NOSCRIPT"


class Asked(NamedTuple):
    """A call, and who waits for its reply."""

    call: Call
    reply: asyncio.Future[Any]
    asked_at: float


class Stream:
    """Calls of one event loop. Connects when first used, and again after the connection was lost.

    Shares its circuit with the threads of the process: while Redis is away nobody waits for it.
    """

    def __init__(self) -> None:
        self._client: redis_asyncio.Connection | None = None
        self._connection: _Connection | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._unsent: list[Asked] = []

    async def run(self, call: Call) -> Any:
        """The script's reply. Raises as `store.run` does; a call that is cancelled may still be carried out."""
        if not store.circuit().may_try():
            raise store.unavailable()
        loop = asyncio.get_running_loop()
        asked = Asked(call, loop.create_future(), loop.time())
        self._unsent.append(asked)
        if len(self._unsent) == 1:
            # After all that is ready in this turn: those requests ask too.
            loop.call_soon(self._send)
        return await asked.reply

    async def close(self) -> None:
        """Hang up. What is under way is answered with BoardsUnavailable. It may be used again."""
        if self._connecting is not None:
            self._connecting.cancel()
            self._connecting = None
        self._refuse_unsent()
        if self._connection is not None:
            self._connection.abort("closed")
        if self._client is not None:
            await self._client.disconnect(nowait=True)
            self._client = None

    def _send(self) -> None:
        if self._connection is not None and not self._connection.is_lost:
            unsent, self._unsent = self._unsent, []
            self._connection.send(unsent)
        elif self._connecting is None or self._connecting.done():
            self._connecting = asyncio.get_running_loop().create_task(self._connect())

    async def _connect(self) -> None:
        try:
            if self._client is not None:
                await self._client.disconnect(nowait=True)
            self._client = client_of_settings()
            async with asyncio.timeout(settings.REDIS_TIMEOUT_SECONDS):
                await self._client.connect()  # type: ignore[no-untyped-call]
        except (redis.RedisError, OSError) as error:
            log.warning("Redis is away: %s", str(error) or "no connection in time")
            store.circuit().failed()
            self._refuse_unsent()
        else:
            self._connection = _Connection(self._client, settings.REDIS_TIMEOUT_SECONDS)
            self._send()

    def _refuse_unsent(self) -> None:
        unsent, self._unsent = self._unsent, []
        refuse(unsent)


def client_of_settings() -> redis_asyncio.Connection:
    """redis-py's connection to REDIS_URL, not connected yet. Protocol 2: it sends nothing but replies."""
    timeout_seconds = settings.REDIS_TIMEOUT_SECONDS
    pool = redis_asyncio.ConnectionPool.from_url(
        settings.REDIS_URL, protocol=2, socket_connect_timeout=timeout_seconds, socket_timeout=timeout_seconds
    )
    made: redis_asyncio.Connection = pool.make_connection()  # type: ignore[no-untyped-call]
    return made


class _Connection(asyncio.Protocol):
    """Matches replies to calls by their order. A call that gets none in time ends the connection, and all calls on it."""

    def __init__(self, client: redis_asyncio.Connection, timeout_seconds: float) -> None:
        """Takes over what `client` has connected."""
        self.is_lost = False
        writer = client._writer  # noqa: SLF001 - there is no public way to its transport
        assert writer is not None
        self._transport = writer.transport
        self._timeout_seconds = timeout_seconds
        self._loop = asyncio.get_running_loop()
        self._replies = hiredis.Reader(replyError=redis.ResponseError)
        self._expected: deque[Asked] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._transport.set_protocol(self)

    def send(self, calls: list[Asked]) -> None:
        self._expected.extend(calls)
        self._transport.write(b"".join([packed(asked.call) for asked in calls]))
        if self._timer is None:
            self._watch()

    def abort(self, reason: str) -> None:
        self._lose(reason)
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._replies.feed(data)
        try:
            while (reply := self._replies.gets()) is not False:
                self._match(reply)
        except hiredis.ProtocolError as error:
            self.abort(str(error))
        else:
            store.circuit().worked()

    def connection_lost(self, error: Exception | None) -> None:
        self._lose(str(error or "the connection was closed"))

    def _match(self, reply: Any) -> None:
        asked = self._expected.popleft()
        if not isinstance(reply, redis.ResponseError):
            if not asked.reply.done():
                asked.reply.set_result(reply)
        elif str(reply).startswith(NO_SCRIPT):
            # Redis was restarted, or has never seen this script: the same call with its text.
            self._expected.append(asked)
            self._transport.write(packed(asked.call, with_text=True))
        elif store.is_unable(reply):
            log.warning("Redis can't serve: %s", reply)
            refuse([asked])
        elif not asked.reply.done():
            asked.reply.set_exception(reply)

    def _lose(self, reason: str) -> None:
        if self.is_lost:
            return
        self.is_lost = True
        if self._timer is not None:
            self._timer.cancel()
        if self._expected:
            log.warning("Redis is away: %s", reason)
            store.circuit().failed()
            refuse(self._expected)
            self._expected.clear()

    def _watch(self) -> None:
        """One timer for all: looks at the oldest call when its time would be up."""
        self._timer = None
        if not self._expected:
            return
        left_seconds = self._expected[0].asked_at + self._timeout_seconds - self._loop.time()
        if left_seconds <= 0:
            self.abort("no reply in time")
        else:
            self._timer = self._loop.call_later(left_seconds, self._watch)


def refuse(calls: Iterable[Asked]) -> None:
    for asked in calls:
        if not asked.reply.done():
            asked.reply.set_exception(store.unavailable())


def packed(call: Call, *, with_text: bool = False) -> bytes:
    """The call as Redis reads it: by the script's hash, or with its text."""
    name, keys, arguments = call
    script = store.script_of(name)
    command = ("EVAL", script.text) if with_text else ("EVALSHA", script.sha)
    # Its own types know commands of one word only.
    encoded: bytes = hiredis.pack_command((*command, len(keys), *keys, *arguments))  # type: ignore[arg-type]
    return encoded
