"""A real HTTP server that webhooks are sent to, and that behaves as a test says."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Received(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes


Behave = Callable[[BaseHTTPRequestHandler, threading.Event], None]


def answer(status: int, **headers: str) -> Behave:
    def behave(handler: BaseHTTPRequestHandler, _: threading.Event) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return behave


def hang(_: BaseHTTPRequestHandler, ended: threading.Event) -> None:
    ended.wait(timeout=60)


def trickle(handler: BaseHTTPRequestHandler, ended: threading.Event) -> None:
    """A byte now and then: no single wait is long."""
    with contextlib.suppress(OSError):
        for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 100_000:
            handler.wfile.write(bytes([byte]))
            if ended.wait(timeout=0.02):
                return


def hang_up(handler: BaseHTTPRequestHandler, _: threading.Event) -> None:
    handler.close_connection = True


class Receiver:
    """`behaviours` in turn; the last one for all that come after."""

    def __init__(self, *behaviours: Behave) -> None:
        self.received: list[Received] = []
        self._behaviours = list(behaviours)
        self._ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/rewards?game=quiz"

    def close(self) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                behave = receiver._behaviours[min(len(receiver.received), len(receiver._behaviours) - 1)]
                receiver.received.append(Received(self.path, dict(self.headers), body))
                behave(self, receiver._ended)

            def log_message(self, *_: object) -> None:
                pass

        return Handler


@contextlib.contextmanager
def receiver(*behaviours: Behave) -> Iterator[Receiver]:
    server = Receiver(*behaviours)
    try:
        yield server
    finally:
        server.close()
