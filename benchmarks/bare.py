"""The yardstick of HTTP: an ASGI application that reads the body and answers `status` and `size` bytes. Nothing else.

`/202/60` answers 202 with 60 bytes.
"""

from collections.abc import Awaitable, Callable
from typing import Any


async def application(
    scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
) -> None:
    if scope["type"] == "lifespan":
        await _live(receive, send)
        return
    while (await receive()).get("more_body"):
        pass
    _, status, size = scope["path"].split("/")
    headers = [(b"content-type", b"application/json"), (b"content-length", size.encode())]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": b" " * int(size)})


async def _live(receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
    while (message := await receive())["type"] != "lifespan.shutdown":
        await send({"type": f"{message['type']}.complete"})
    await send({"type": "lifespan.shutdown.complete"})
