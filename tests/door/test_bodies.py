"""Reading a body: whole, in pieces, too large, too slow, and not to its end."""

import asyncio
from collections.abc import Sequence

import pytest

from leaderboard_site.door import messages
from leaderboard_site.door.messages import Body, BodyLimits, ClientGone, Message, read_body
from scoring.errors import RequestTimeout

LIMITS = BodyLimits(most_bytes=10, most_seconds=0.01)


def read(chunks: Sequence[bytes], length: int | None = None, *, is_complete: bool = True) -> Body:
    """What is read of a body that arrives in these chunks; after an incomplete one the client says nothing more."""
    arriving: list[Message] = [
        {"type": "http.request", "body": chunk, "more_body": not is_complete or place < len(chunks)}
        for place, chunk in enumerate(chunks, 1)
    ]

    async def receive() -> Message:
        if not arriving:
            await asyncio.Event().wait()
        return arriving.pop(0)

    headers = {} if length is None else {b"content-length": b"%d" % length}
    return asyncio.run(read_body(receive, headers, LIMITS))


@pytest.mark.parametrize("chunks", [[b""], [b"abc"], [b"a", b"bc"], [b"abc", b""], [b"", b"abc"], [b"0123456789"]])
def test_a_body_is_read_whole(chunks: list[bytes]) -> None:
    whole = b"".join(chunks)

    assert read(chunks) == Body(len(whole), whole)
    assert read(chunks, length=len(whole)) == Body(len(whole), whole)


def test_a_body_that_is_here_needs_no_further_message() -> None:
    assert read([b"abc"], length=3, is_complete=False) == Body(3, b"abc")


@pytest.mark.parametrize("chunks", [[b"x" * 11], [b"x" * 6, b"x" * 6], [b"x" * 11, b"x" * 50]])
def test_of_one_that_is_too_large_only_the_length_is_kept(chunks: list[bytes]) -> None:
    assert read(chunks) == Body(len(b"".join(chunks)), b"")


def test_one_without_end_is_not_read_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MOST_DISCARDED_BYTES", 100)

    assert read([b"x" * 60, b"x" * 60], is_complete=False) == Body(120, b"")


def test_one_that_is_too_slow_is_given_up() -> None:
    with pytest.raises(RequestTimeout) as caught:
        read([b"x"], length=2, is_complete=False)
    assert (caught.value.status, caught.value.code) == (408, "request_timeout")


def test_a_client_that_hangs_up_in_the_middle_is_gone() -> None:
    arriving: list[Message] = [
        {"type": "http.request", "body": b"x", "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Message:
        return arriving.pop(0)

    with pytest.raises(ClientGone):
        asyncio.run(read_body(receive, {b"content-length": b"2"}, LIMITS))
