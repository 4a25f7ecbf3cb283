"""A server that answers each request with the next of some prepared answers."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence

HANG_UP = b""
"""Instead of an answer: close the connection."""

SAY_NOTHING = b"-"
"""Instead of an answer: keep the connection open."""


def answer(status: int, body: bytes = b"", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} x", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class PreparedServer:
    def __init__(self, answers: Sequence[bytes]) -> None:
        self._answers = list(answers)
        self.url = ""
        self.connections = 0
        self.requests: list[bytes] = []
        self.serving: list[asyncio.Task[None]] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self.serving.append(task)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                self.requests.append(await reader.readuntil(b"\r\n\r\n"))
                prepared = self._answers.pop(0)
                if prepared == HANG_UP:
                    break
                if prepared != SAY_NOTHING:
                    writer.write(prepared)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


@contextlib.asynccontextmanager
async def prepared_server(*answers: bytes) -> AsyncIterator[PreparedServer]:
    prepared = PreparedServer(answers)
    server = await asyncio.start_server(prepared.serve, "127.0.0.1", 0)
    async with server:
        prepared.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield prepared
    await asyncio.gather(*prepared.serving)
