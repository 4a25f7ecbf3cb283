"""One HTTP POST to an address that somebody else runs: bounded in time, no redirects, and not into one's own network unasked."""

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 10.0
"""From the request to the end of the answer's head, however it trickles in."""


class NotSent(Exception):
    """The request could not be made or was not answered; the message is a sentence for people."""


def check_url(url: str) -> SplitResult:
    """The parts of a URL that can be posted to. ValueError says in a sentence why it can't."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https"):
        raise ValueError("the URL must begin with http:// or https://")
    if not parts.hostname:
        raise ValueError("the URL names no host")
    if parts.username is not None or parts.fragment:
        raise ValueError("the URL must hold no user and no fragment")
    if any(character <= " " or character > "~" for character in url):
        raise ValueError("the URL must be of plain characters: anything else percent-encoded, a host as punycode")
    _ = parts.port  # raises ValueError for what is no port
    return parts


def post(url: str, body: bytes, headers: Mapping[str, str], *, may_be_private: bool) -> int:
    """The status of the answer, whatever it is; NotSent if there is none. Blocks for CONNECT_SECONDS an address of the host
    and ANSWER_SECONDS at the most."""
    try:
        parts = check_url(url)
    except ValueError as error:
        raise NotSent(str(error)) from None
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=CONNECT_SECONDS)
    try:
        connection.connect()
        if not may_be_private:
            _refuse_private(connection.sock)
        connection.sock.settimeout(ANSWER_SECONDS)
        with _ends_within(connection.sock, ANSWER_SECONDS):
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", target, body, dict(headers))
            return connection.getresponse().status
    except (OSError, HTTPException, UnicodeError) as error:
        raise NotSent(f"{type(error).__name__}: {error}") from error
    finally:
        connection.close()


def _refuse_private(connected: socket.socket) -> None:
    """Looks at the address that was reached, not at the name: a name may mean another one the next time."""
    address = ip_address(connected.getpeername()[0].partition("%")[0])
    if not address.is_global or address.is_multicast:
        raise NotSent(f"{address} is not a public address; WEBHOOKS_TO_PRIVATE_ADDRESSES would allow it")


@contextmanager
def _ends_within(connected: socket.socket, seconds: float) -> Iterator[None]:
    """Shut the connection down after so long, and raise: a socket's own time-out begins anew with every byte."""
    is_over = threading.Event()

    def shut_down() -> None:
        is_over.set()
        with suppress(OSError):
            # Not the method of an SSLSocket, which changes what its reader is using.
            socket.socket.shutdown(connected, socket.SHUT_RDWR)

    timer = threading.Timer(seconds, shut_down)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if is_over.is_set():
            # Also if a part of the answer was there, which may read like a whole one.
            raise TimeoutError(f"no answer in {seconds:g} seconds")
