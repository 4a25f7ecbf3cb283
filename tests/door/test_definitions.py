"""Rules and keys are fresh within their time, and the event loop never waits long for them."""

import asyncio
import threading
from collections.abc import Callable

import pytest
from django.db import OperationalError

from leaderboard_site.door import definitions as module
from leaderboard_site.door.definitions import Definitions
from scoring.snapshot import Snapshot


class Source:
    """What is loaded: how many times it was asked. It may hang, or fail."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.error: Exception | None = None

    def load(self) -> int:
        assert self.may_answer.wait(30)
        if self.error is not None:
            raise self.error
        self.asked += 1
        return self.asked


@pytest.fixture
def source() -> Source:
    return Source()


def play(source: Source, max_age_seconds: float, steps: Callable[[Definitions, Snapshot[int]], object]) -> None:
    snapshot = Snapshot(source.load, max_age_seconds)
    definitions = Definitions([snapshot], max_age_seconds)

    async def run() -> None:
        try:
            await steps(definitions, snapshot)  # type: ignore[misc]
        finally:
            source.may_answer.set()
            definitions.close()

    asyncio.run(run())


def test_the_first_request_waits_for_them_and_those_at_once_share_the_wait(source: Source) -> None:
    async def steps(definitions: Definitions, snapshot: Snapshot[int]) -> None:
        assert definitions.are_aging()
        await asyncio.gather(*(definitions.renew() for _ in range(5)))
        assert (snapshot.get(), source.asked) == (1, 1)
        assert not definitions.are_aging()

    play(source, 3600, steps)


def test_old_ones_are_replaced_before_a_request_goes_on(source: Source) -> None:
    async def steps(definitions: Definitions, snapshot: Snapshot[int]) -> None:
        await definitions.renew()
        await definitions.renew()
        assert snapshot.get() == 2

    play(source, 0, steps)


def test_without_any_the_databases_error_is_told(source: Source) -> None:
    source.error = OperationalError("away")

    async def steps(definitions: Definitions, snapshot: Snapshot[int]) -> None:
        with pytest.raises(OperationalError):
            await definitions.renew()

    play(source, 3600, steps)


def test_a_database_that_hangs_holds_nobody_up_for_long(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.01)

    async def steps(definitions: Definitions, snapshot: Snapshot[int]) -> None:
        await definitions.renew()
        source.may_answer.clear()
        await definitions.renew()
        await definitions.renew()
        # In an event loop the last value does, however old.
        assert snapshot.get() == 1

    play(source, 0, steps)
