"""The nudge: one message for a burst of commits, and longer pauses while commits come fast."""

import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from boards import nudge
from boards.nudge import BUSY_COMMITS, BUSY_PAUSE_SECONDS, PAUSE_SECONDS, Nudger


class Clock:
    """Pauses end when the test says so."""

    def __init__(self) -> None:
        self.pauses: list[float] = []
        self.began = threading.Semaphore(0)
        self.may_end = threading.Semaphore(0)

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.began.release()
        assert self.may_end.acquire(timeout=30)

    def until_pause(self) -> None:
        assert self.began.acquire(timeout=30)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    made = Clock()
    monkeypatch.setattr(nudge, "time", SimpleNamespace(sleep=made.sleep))
    yield made
    # The thread of the test is let go, and waits for a nudge that never comes.
    made.may_end.release(100)


def test_a_burst_of_commits_is_one_message_and_a_longer_pause(clock: Clock) -> None:
    sent: list[str] = []
    nudger = Nudger(sent.append)

    nudger.nudge("live")
    clock.until_pause()
    for _ in range(BUSY_COMMITS + 1):
        nudger.nudge("live")
    clock.may_end.release()
    clock.until_pause()
    nudger.nudge("live")
    clock.may_end.release()
    clock.until_pause()

    assert sent == ["live"] * 3
    assert clock.pauses == [PAUSE_SECONDS, BUSY_PAUSE_SECONDS, PAUSE_SECONDS]


def test_a_lost_nudge_is_no_ones_error_and_the_next_is_sent(clock: Clock) -> None:
    sent: list[str] = []

    def send(queue: str) -> None:
        sent.append(queue)
        if len(sent) == 1:
            raise ConnectionError("the broker is away")

    nudger = Nudger(send)
    nudger.nudge("live")
    clock.until_pause()
    nudger.nudge("corrections")
    clock.may_end.release()
    clock.until_pause()

    assert sent == ["live", "corrections"]
