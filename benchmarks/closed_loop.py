"""Requests over some connections, each sent when the answer to the one before is complete. Plain sockets in one thread.

Generator and server share two cores: this takes about half the CPU of an asyncio client.
"""

import contextlib
import re
import select
import socket
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

HEAD_END = b"\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)")
READ_BYTES = 262_144
PATIENCE_SECONDS = 30.0


class UnexpectedAnswer(Exception):
    """The server answered with another status than the job is about, or not at all."""


@dataclass
class Measured:
    """`after`: seconds from each request to its complete answer."""

    seconds: float = 0.0
    after: list[float] = field(default_factory=list)
    body_bytes: int = 0


@dataclass
class _Waiting:
    """A connection with a request under way. `left`: bytes still to come, None until the head is here."""

    connection: socket.socket
    sent_at: float = 0.0
    received: bytes = b""
    left: int | None = None


def run_closed_loop(
    url: str,
    connections: int,
    messages: Iterator[bytes],
    seconds: float,
    *,
    status: int,
    requests_a_second: float = 0.0,
) -> Measured:
    """Send messages for so long, at this pace (0: as fast as answers come).

    Raises UnexpectedAnswer unless each is answered with `status`.
    """
    measured = Measured()
    head = b"HTTP/1.1 %d " % status
    with contextlib.ExitStack() as opened:
        poll = select.epoll()
        opened.callback(poll.close)
        idle = deque(_Waiting(opened.enter_context(_connect(url))) for _ in range(connections))
        by_number = {each.connection.fileno(): each for each in idle}
        for number in by_number:
            poll.register(number, select.EPOLLIN)
        started_at = time.perf_counter()
        until, sent = started_at + seconds, 0
        while (now := time.perf_counter()) < until or len(idle) < connections:
            due_at = started_at + sent / requests_a_second if requests_a_second else now
            while idle and due_at <= now < until:
                _send(idle.popleft(), messages)
                sent += 1
                due_at = started_at + sent / requests_a_second if requests_a_second else now
            wait_seconds = min(due_at, until) - now if idle and now < until else PATIENCE_SECONDS
            ready = poll.poll(wait_seconds)
            if not ready and wait_seconds == PATIENCE_SECONDS:
                raise UnexpectedAnswer(f"no answer within {PATIENCE_SECONDS:g} seconds")
            for number, _ in ready:
                if _receive(by_number[number], head, measured):
                    idle.append(by_number[number])
        measured.seconds = time.perf_counter() - started_at
    return measured


def _connect(url: str) -> socket.socket:
    address = urlsplit(url)
    connection = socket.create_connection((address.hostname or "", address.port or 80))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _send(each: _Waiting, messages: Iterator[bytes]) -> None:
    message = next(messages)
    each.sent_at = time.perf_counter()
    each.connection.sendall(message)


def _receive(each: _Waiting, head: bytes, measured: Measured) -> bool:
    """Take what has arrived; whether the answer is complete."""
    data = each.connection.recv(READ_BYTES)
    if not data:
        raise UnexpectedAnswer("the server has closed the connection")
    if each.left is None:
        each.received += data
        end = each.received.find(HEAD_END)
        if end < 0:
            return False
        length = LENGTH.search(each.received, 0, end)
        if length is None or not each.received.startswith(head):
            raise UnexpectedAnswer(each.received[:500].decode(errors="replace"))
        measured.body_bytes += int(length[1])
        each.left = int(length[1]) + end + len(HEAD_END) - len(each.received)
        each.received = b""
    else:
        each.left -= len(data)
    if each.left:
        return False
    each.left = None
    measured.after.append(time.perf_counter() - each.sent_at)
    return True
