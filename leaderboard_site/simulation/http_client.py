"""A small asyncio HTTP/1.1 client: keep-alive, one request at a time on each connection.

Written for this simulation and the benchmarks, where the load generator shares two cores with what it measures: general
clients cost more CPU for a request than the server's answer does.
"""

import asyncio
import ssl
from urllib.parse import urlsplit

from leaderboard_site.simulation.http_parsing import Response, ResponseParser, encode_request

TIMEOUT_SECONDS = 10.0


class ConnectionLost(ConnectionError):
    """The server hung up before its response was complete; whether it did what was asked is not known."""


class Connection(asyncio.Protocol):
    """One keep-alive connection. Connects when first used, and again after it was closed or lost."""

    def __init__(self, url: str, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self._url = urlsplit(url)
        self._timeout_seconds = timeout_seconds
        self._transport: asyncio.Transport | None = None
        self._lost: asyncio.Future[None] | None = None
        self._parser = ResponseParser()
        self._response: asyncio.Future[Response] | None = None

    async def request(self, message: bytes) -> Response:
        """Send an encoded request, await its response.

        Raises OSError when there is no connection to be had, ConnectionLost, BrokenResponse or TimeoutError; all of them
        are OSErrors. Afterwards the connection may be used again.
        """
        loop = asyncio.get_running_loop()
        transport = self._transport
        if transport is None or transport.is_closing():
            transport = await self._connect(loop)
        response: asyncio.Future[Response] = loop.create_future()
        self._response = response
        # Cheaper by far than a cancel scope for each request.
        timer = loop.call_later(self._timeout_seconds, self._fail, TimeoutError("no response in time"))
        transport.write(message)
        try:
            return await response
        except BaseException:
            # Also when cancelled: a late response must not be taken for the next one.
            transport.abort()
            raise
        finally:
            timer.cancel()
            self._response = None

    async def close(self) -> None:
        """Return when it is closed. It may be used again."""
        if self._transport is not None and self._lost is not None:
            self._transport.close()
            await self._lost

    async def _connect(self, loop: asyncio.AbstractEventLoop) -> asyncio.Transport:
        is_tls = self._url.scheme == "https"
        connecting = loop.create_connection(
            lambda: self,
            self._url.hostname or "127.0.0.1",
            self._url.port or (443 if is_tls else 80),
            ssl=ssl.create_default_context() if is_tls else None,
        )
        transport, _ = await asyncio.wait_for(connecting, self._timeout_seconds)
        return transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._lost = asyncio.get_running_loop().create_future()
        self._parser = ResponseParser()

    def data_received(self, data: bytes) -> None:
        try:
            response = self._parser.feed(data)
        except ConnectionError as error:
            self._fail(error)
            return
        if response is not None:
            if response.closes and self._transport is not None:
                self._transport.close()
            self._succeed(response)

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        if self._lost is not None:
            self._lost.set_result(None)
        response = self._parser.end() if error is None else None
        if response is not None:
            self._succeed(response)
        self._fail(ConnectionLost("the server has closed the connection"))

    def _succeed(self, response: Response) -> None:
        if self._response is not None and not self._response.done():
            self._response.set_result(response)

    def _fail(self, error: Exception) -> None:
        if self._response is not None and not self._response.done():
            self._response.set_exception(error)


class Client:
    """Some connections to one server, used by whoever comes first; further requests wait in line."""

    def __init__(
        self, url: str, *, key: str = "", connections: int = 4, timeout_seconds: float = TIMEOUT_SECONDS
    ) -> None:
        self._host = urlsplit(url).netloc
        self._headers = {"Authorization": f"Api-Key {key}"} if key else {}
        self._idle = [Connection(url, timeout_seconds) for _ in range(connections)]
        self._free = asyncio.Semaphore(connections)

    def encode(self, method: str, target: str, body: bytes = b"") -> bytes:
        return encode_request(method, target, self._host, self._headers, body)

    async def send(self, message: bytes) -> Response:
        """Send an encoded request over a free connection. Raises OSErrors, see `Connection.request`."""
        async with self._free:
            # The one used last: it is the least likely to have been closed for idling.
            connection = self._idle.pop()
            try:
                return await connection.request(message)
            finally:
                self._idle.append(connection)

    async def get(self, target: str) -> Response:
        return await self.send(self.encode("GET", target))

    async def post(self, target: str, body: bytes) -> Response:
        return await self.send(self.encode("POST", target, body))

    async def close(self) -> None:
        for connection in self._idle:
            await connection.close()
