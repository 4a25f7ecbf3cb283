"""The types of ASGI, and a request's body within its limits."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, MutableMapping
from typing import Any, NamedTuple

from scoring.errors import RequestTimeout

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Coroutine[Any, Any, None]]
AsgiApplication = Callable[[Scope, Receive, Send], Coroutine[Any, Any, None]]

MOST_DISCARDED_BYTES = 32 * 1024 * 1024
"""How much of a body that is too large is read to its end, so that its sender is still there for the answer."""


class ClientGone(Exception):
    """The client hung up before its request was complete."""


class BodyLimits(NamedTuple):
    """How long a body may be, and how long it may take to arrive: whoever needs longer sends it to keep us waiting."""

    most_bytes: int
    most_seconds: float


class Body(NamedTuple):
    """A body's length, and its bytes: all of them, or none if there were too many."""

    length: int
    content: bytes


async def read_body(receive: Receive, headers: Mapping[bytes, bytes], limits: BodyLimits) -> Body:
    """The whole body, if it is within its limits. Raises ClientGone or RequestTimeout. Holds no more than that in memory."""
    message = await receive()
    content: bytes = message.get("body", b"")
    # All here already: the usual case, which needs neither a clock nor the message that says there is no more.
    is_whole = b"%d" % len(content) == headers.get(b"content-length") or not message.get("more_body")
    if message["type"] == "http.request" and is_whole and len(content) <= limits.most_bytes:
        return Body(len(content), content)
    try:
        async with asyncio.timeout(limits.most_seconds):
            return await _read_chunks(message, receive, limits.most_bytes)
    except TimeoutError:
        raise RequestTimeout(f"the body was not complete after {limits.most_seconds:g} seconds") from None


async def _read_chunks(message: Message, receive: Receive, most_bytes: int) -> Body:
    chunks: list[bytes] = []
    length = 0
    while True:
        if message["type"] != "http.request":
            raise ClientGone
        chunk = message.get("body", b"")
        length += len(chunk)
        if length > most_bytes:
            chunks.clear()
        elif chunk:
            chunks.append(chunk)
        if not message.get("more_body") or length > MOST_DISCARDED_BYTES:
            return Body(length, b"".join(chunks))
        message = await receive()
