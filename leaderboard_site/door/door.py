"""The ASGI application: hot requests to the door's own calls, all others to Django."""

import logging
from collections.abc import Awaitable, Callable

from leaderboard_site.door.calls import Calls
from leaderboard_site.door.django import Django
from leaderboard_site.door.messages import ClientGone, Receive, Scope, Send
from leaderboard_site.door.replies import WireHeaders, headers_of_all, send_reply
from leaderboard_site.door.routes import Hot, find_hot
from leaderboard_site.problems import reply_to, reply_to_unexpected

log = logging.getLogger(__name__)

READS = b"GET, HEAD, OPTIONS"
WRITES = b"POST, OPTIONS"


class FrontDoor:
    def __init__(self, django: Django, calls: Calls | None, close: Callable[[], Awaitable[None]]) -> None:
        """Without `calls`, Django answers everything. `close` is awaited when the server stops, after the last answer."""
        self._django = django
        self._calls = calls
        self._close = close
        self._headers: WireHeaders = headers_of_all()
        self._headers_of = {
            hot: [*self._headers, (b"allow", READS if hot in (Hot.TOP, Hot.PLAYER) else WRITES)] for hot in Hot
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                await self._serve(scope, receive, send)
            except ClientGone:
                log.debug("a client hung up before its request was complete")
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await send({"type": "websocket.close"})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = find_hot(scope) if self._calls is not None else None
        if request is not None and self._calls is not None:
            reply = await self._calls.answer(request, receive)
            if reply is not None:
                await send_reply(send, reply, self._headers_of[request.hot])
                return
        await self._pass_on(scope, receive, send)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._django(scope, receive, send)
        except ClientGone:
            raise
        except Exception as error:
            reply = reply_to(error) or reply_to_unexpected(error, scope["path"])
            await send_reply(send, reply, self._headers)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await self._close()
                await send({"type": "lifespan.shutdown.complete"})
                return
            await send({"type": "lifespan.startup.complete"})
