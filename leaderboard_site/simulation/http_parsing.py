"""HTTP/1.1 on the wire, as far as a client of JSON services needs it: requests to bytes, bytes to responses. Pure."""

import re
from enum import Enum, auto
from typing import NamedTuple

HEAD_END = b"\r\n\r\n"
CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding:[ \t]*chunked", re.IGNORECASE)
CLOSE = re.compile(rb"\r\nconnection:[ \t]*close", re.IGNORECASE)
BODILESS = frozenset({204, 304})


class BrokenResponse(ConnectionError):
    """The bytes received are no HTTP/1.1 response."""


class Response(NamedTuple):
    """`head`: status line and headers as received, without the empty line."""

    status: int
    head: bytes
    body: bytes

    def header(self, name: str) -> str | None:
        found = re.search(rb"\r\n" + re.escape(name.encode()) + rb":[ \t]*([^\r]*)", self.head, re.IGNORECASE)
        return found[1].decode("latin-1").strip() if found else None

    @property
    def closes(self) -> bool:
        """Whether the server ends the connection after this."""
        return CLOSE.search(self.head) is not None


def encode_request(method: str, target: str, host: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    """The bytes of a request; may be kept and sent many times."""
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if body or method == "POST":
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode("latin-1") + HEAD_END + body


class Framing(Enum):
    """How the end of a body shows, if not by a length told before."""

    CHUNKED = auto()
    UNTIL_CLOSED = auto()


class ResponseParser:
    """Takes bytes as they arrive, gives a response once it is complete. Handles one response after another."""

    def __init__(self) -> None:
        self._received = bytearray()
        self._head = b""
        self._status = 0
        self._length: int | Framing = 0

    def feed(self, data: bytes) -> Response | None:
        """The response that `data` completes, if it does. BrokenResponse if it can't be one."""
        self._received += data
        if not self._head and not self._read_head():
            return None
        if self._length is Framing.UNTIL_CLOSED:
            return None
        return self._respond(self._take_chunks() if self._length is Framing.CHUNKED else self._take(self._length))

    def end(self) -> Response | None:
        """The connection was closed: the response that this completes, if it does."""
        if not self._head or self._length is not Framing.UNTIL_CLOSED:
            return None
        return self._respond(self._take(len(self._received)))

    def _respond(self, body: bytes | None) -> Response | None:
        if body is None:
            return None
        response = Response(self._status, self._head, body)
        self._head = b""
        return response

    def _read_head(self) -> bool:
        end = self._received.find(HEAD_END)
        if end < 0:
            return False
        head = bytes(self._received[:end])
        if not head.startswith(b"HTTP/1.1 ") or not head[9:12].isdigit():
            raise BrokenResponse("not an HTTP/1.1 response")
        del self._received[: end + len(HEAD_END)]
        self._head, self._status, self._length = head, int(head[9:12]), _length_of(head)
        return True

    def _take(self, length: int) -> bytes | None:
        if len(self._received) < length:
            return None
        body = bytes(self._received[:length])
        del self._received[:length]
        return body

    def _take_chunks(self) -> bytes | None:
        """The joined chunks, once the last one is here. Trailers are not expected."""
        body, position = [], 0
        while (line_end := self._received.find(b"\r\n", position)) >= 0:
            try:
                size = int(self._received[position:line_end].split(b";")[0], 16)
            except ValueError:
                raise BrokenResponse("not a chunk") from None
            start, end = line_end + 2, line_end + 2 + size
            if len(self._received) < end + 2:
                return None
            body.append(bytes(self._received[start:end]))
            position = end + 2
            if size == 0:
                del self._received[:position]
                return b"".join(body)
        return None


def _length_of(head: bytes) -> int | Framing:
    """The length of the body in bytes, if it is told."""
    if int(head[9:12]) in BODILESS:
        return 0
    length = CONTENT_LENGTH.search(head)
    if length:
        return int(length[1])
    return Framing.CHUNKED if CHUNKED.search(head) else Framing.UNTIL_CLOSED
