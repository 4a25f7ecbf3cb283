"""Batches stand in line: two transactions at a time, unless one is held up."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from leaderboard_site.door import batches as door_batches
from leaderboard_site.door.batches import Batches
from scoring.api.reply import Reply
from scoring.errors import Overloaded

DONE = Reply(202, b"{}")


class Writes:
    """In place of intake: notes which batches were begun, and lets each end when it is told to."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.may_end: dict[str, threading.Event] = {}

    def batch(self, name: str, *, waits: bool = True) -> Callable[[], Reply]:
        may_end = self.may_end[name] = threading.Event()

        def write() -> Reply:
            self.begun.append(name)
            assert not waits or may_end.wait(30)
            return DONE

        return write

    def end(self, name: str) -> None:
        self.may_end[name].set()

    async def until_begun(self, *names: str) -> None:
        async with asyncio.timeout(30):
            while self.begun != list(names):
                await asyncio.sleep(0.001)


@pytest.fixture
def writes() -> Writes:
    return Writes()


def test_the_third_waits_until_one_before_has_ended(writes: Writes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_batches, "HELD_UP_SECONDS", 30)

    async def play() -> list[Reply]:
        line = Batches(together=2, at_once=3, waiting=10)
        accepted = [asyncio.create_task(line.accept(writes.batch(name))) for name in ("a", "b", "c", "d")]
        for number, name in enumerate(("a", "b", "c", "d"), start=2):
            await writes.until_begun(*["a", "b", "c", "d"][:number])
            writes.end(name)
        replies = await asyncio.gather(*accepted)
        await line.drain()
        return replies

    assert asyncio.run(play()) == [DONE] * 4


def test_beside_those_that_are_held_up_others_go_on_up_to_the_limit(
    writes: Writes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_batches, "HELD_UP_SECONDS", 0.001)

    async def play() -> list[str]:
        line = Batches(together=2, at_once=3, waiting=10)
        accepted = [asyncio.create_task(line.accept(writes.batch(name))) for name in ("a", "b", "c", "d")]
        await writes.until_begun("a", "b", "c")
        # All are held up by now, or soon: the fourth waits all the same.
        await asyncio.sleep(0.05)
        begun = list(writes.begun)
        for name in ("a", "b", "c", "d"):
            writes.end(name)
        await asyncio.gather(*accepted)
        await line.drain()
        return begun

    assert asyncio.run(play()) == ["a", "b", "c"]


def test_who_finds_the_line_full_is_told_to_come_back(writes: Writes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_batches, "HELD_UP_SECONDS", 30)

    async def play() -> list[str]:
        line = Batches(together=2, at_once=1, waiting=1)
        accepted = [asyncio.create_task(line.accept(writes.batch(name))) for name in ("a", "b")]
        await writes.until_begun("a")
        with pytest.raises(Overloaded):
            await line.accept(writes.batch("c"))
        writes.end("a")
        writes.end("b")
        await asyncio.gather(*accepted)
        await line.drain()
        return writes.begun

    assert asyncio.run(play()) == ["a", "b"]


def test_a_batch_is_written_though_its_sender_hangs_up_before_or_in_its_turn(
    writes: Writes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_batches, "HELD_UP_SECONDS", 30)

    async def play() -> list[str]:
        line = Batches(together=2, at_once=1, waiting=10)
        accepted = [asyncio.create_task(line.accept(writes.batch(name))) for name in ("a", "b", "c")]
        await writes.until_begun("a")
        for gone in accepted[:2]:
            gone.cancel()
        for name in ("a", "b", "c"):
            writes.end(name)
        assert await accepted[2] == DONE
        await line.drain()
        return writes.begun

    assert asyncio.run(play()) == ["a", "b", "c"]


def test_what_a_batch_raises_is_its_senders_alone_and_at_the_end_the_line_is_written(writes: Writes) -> None:
    def broken() -> Reply:
        raise ValueError("no such thing")

    async def play() -> list[str]:
        line = Batches(together=2, at_once=1, waiting=10)
        failed = asyncio.create_task(line.accept(broken))
        accepted = [asyncio.create_task(line.accept(writes.batch(name, waits=False))) for name in ("a", "b", "c")]
        with pytest.raises(ValueError, match="no such thing"):
            await failed
        await line.drain()
        assert [task.done() for task in accepted] == [True, True, True]
        return writes.begun

    assert asyncio.run(play()) == ["a", "b", "c"]
