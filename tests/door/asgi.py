"""An ASGI server in the test's own process: no sockets, but the messages that a server would send."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.test import override_settings

from leaderboard_site.door.build import build_door
from leaderboard_site.door.door import FrontDoor
from leaderboard_site.door.messages import Message

HeaderList = Sequence[tuple[bytes, bytes]]


class Answer(NamedTuple):
    """`headers` by name, in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@contextlib.asynccontextmanager
async def opened(**environment: Any) -> AsyncIterator[FrontDoor]:
    """The door as the site builds it, with these variables changed; everything is written when the block ends."""
    with override_settings(ENVIRONMENT=replace(settings.ENVIRONMENT, **environment)):
        door = build_door(get_wsgi_application())
    try:
        yield door
    finally:
        await shut(door)


async def shut(door: FrontDoor) -> None:
    """Stop it, as a server does after the last answer."""
    messages = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

    async def receive() -> Message:
        return next(messages)

    async def send(message: Message) -> None:
        assert message["type"].endswith(".complete"), message

    await door({"type": "lifespan"}, receive, send)


async def ask(
    door: FrontDoor, method: str, target: bytes, headers: HeaderList = (), body: bytes | Iterable[bytes] = b""
) -> Answer:
    """Send one request, the body in the chunks given. `target` is as on the wire: path, and query if there is one."""
    raw_path, _, query = target.partition(b"?")
    chunks = [body] if isinstance(body, bytes) else list(body)
    incoming = [
        {"type": "http.request", "body": chunk, "more_body": place < len(chunks)}
        for place, chunk in enumerate(chunks, 1)
    ]
    outgoing: list[Message] = []

    async def receive() -> Message:
        if not incoming:
            # All has been read, and the client stays.
            await asyncio.Event().wait()
        return incoming.pop(0)

    async def send(message: Message) -> None:
        outgoing.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote_to_bytes(raw_path).decode(errors="replace"),
        "raw_path": raw_path,
        "query_string": query,
        "headers": list(headers),
        "server": ("127.0.0.1", "8000"),
        "client": ("127.0.0.1", "1234"),
    }
    await door(scope, receive, send)
    start, *bodies = outgoing
    return Answer(
        start["status"],
        {name.decode(): value.decode() for name, value in start["headers"]},
        b"".join(message["body"] for message in bodies),
    )
