"""All that the door does not answer itself: carried to Django's WSGI application, on a bounded number of threads."""

import asyncio
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from http import HTTPStatus
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

from leaderboard_site.door.messages import Body, BodyLimits, Receive, Scope, Send, read_body
from leaderboard_site.door.threads import Threads

Environ = dict[str, Any]
Headers = Sequence[tuple[str, str]]
WsgiApplication = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

COLLECTED_BYTES = 1024 * 1024
"""An answer up to this length is sent in one piece; a longer one, or one that does not tell its length, as it comes."""


class Django:
    """Carries requests to a WSGI application, each on a thread, with its body already here.

    A slow sender so holds no thread, and what is sent in chunks has a length by then.
    """

    def __init__(self, application: WsgiApplication, threads: Threads, body_limits: BodyLimits) -> None:
        self._application = application
        self._threads = threads
        self._body_limits = body_limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await read_body(receive, dict(scope["headers"]), self._body_limits)
        loop = asyncio.get_running_loop()

        def send_from_thread(message: dict[str, Any]) -> None:
            asyncio.run_coroutine_threadsafe(send(message), loop).result()

        answer = Answer(send_from_thread)
        await self._threads.run(partial(answer.run, self._application, environ_of(scope, body)))
        if answer.is_whole:
            await send(answer.start_message())
            await send({"type": "http.response.body", "body": b"".join(answer.chunks)})


class Answer:
    """What the application gives to one request, on its thread."""

    def __init__(self, send: Callable[[dict[str, Any]], None]) -> None:
        self.chunks: list[bytes] = []
        self.is_whole = True
        self._send = send
        self._status = HTTPStatus.INTERNAL_SERVER_ERROR.value
        self._headers: Headers = ()

    def run(self, application: WsgiApplication, environ: Environ) -> None:
        """Afterwards `chunks` hold the body if it `is_whole`; else everything has been sent."""
        content = application(environ, self._start)
        try:
            self.is_whole = self._is_short()
            if self.is_whole:
                self.chunks.extend(content)
                return
            self._send(self.start_message())
            for chunk in content:
                self._send({"type": "http.response.body", "body": chunk, "more_body": True})
            self._send({"type": "http.response.body", "body": b""})
        finally:
            # Django hands its database connection back here.
            close = getattr(content, "close", None)
            if close is not None:
                close()

    def start_message(self) -> dict[str, Any]:
        return {
            "type": "http.response.start",
            "status": self._status,
            "headers": [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in self._headers],
        }

    def _start(self, status: str, headers: Headers, exc_info: Any = None) -> None:
        self._status, self._headers = int(status[:3]), headers

    def _is_short(self) -> bool:
        length = next((int(value) for name, value in self._headers if name.lower() == "content-length"), None)
        return length is not None and length <= COLLECTED_BYTES


def environ_of(scope: Scope, body: Body) -> Environ:
    """The request as PEP 3333 has it. CONTENT_LENGTH is the body's true length, also of one that was too large to keep."""
    # Raw, since ASGI's own path has lost what is not UTF-8.
    path = unquote_to_bytes(scope.get("raw_path") or scope["path"].encode())
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": path.decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": str(server[0]),
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": "HTTP/1.0" if scope["http_version"] in ("1", "1.0") else f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": str(client[0]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body.content),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        _add_header(environ, raw_name.decode("latin-1"), raw_value.decode("latin-1"))
    environ["CONTENT_LENGTH"] = str(body.length)
    return environ


def _add_header(environ: Environ, name: str, value: str) -> None:
    if "_" in name:
        # It would pass for the header with a hyphen, which a proxy may have checked.
        return
    key = name.upper().replace("-", "_")
    if key != "CONTENT_TYPE":
        key = f"HTTP_{key}"
    if key in environ:
        value = f"{environ[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{value}"
    environ[key] = value
