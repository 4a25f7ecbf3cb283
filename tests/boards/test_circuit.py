"""Nobody waits for a Redis that is away, and it is found again when it is back."""

from typing import Any

import pytest
import redis

from boards import store
from boards.circuit import Circuit
from boards.store import BoardsUnavailable, Call

PAUSE_SECONDS = 1.0
READ = Call("count_recovering", ("lb-recovering",), ())


class Clock:
    seconds = 100.0

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("boards.circuit.time", clock)
    return clock


def test_a_circuit_lets_all_calls_through_while_they_work(clock: Clock) -> None:
    circuit = Circuit(PAUSE_SECONDS)
    circuit.worked()

    assert [circuit.may_try() for _ in range(3)] == [True, True, True]


def test_after_a_failure_one_call_in_each_pause_may_try(clock: Clock) -> None:
    circuit = Circuit(PAUSE_SECONDS)
    circuit.failed()

    assert not circuit.may_try()
    clock.seconds += PAUSE_SECONDS
    assert [circuit.may_try() for _ in range(3)] == [True, False, False]
    clock.seconds += PAUSE_SECONDS
    assert circuit.may_try()


def test_the_first_call_that_works_closes_the_circuit(clock: Clock) -> None:
    circuit = Circuit(PAUSE_SECONDS)
    circuit.failed()
    clock.seconds += PAUSE_SECONDS
    assert circuit.may_try()
    circuit.worked()

    assert [circuit.may_try() for _ in range(3)] == [True, True, True]


def test_a_redis_that_is_away_is_asked_once_and_not_by_everyone(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def time_out(client: Any, calls: Any) -> None:
        asked.append(calls)
        raise redis.TimeoutError("hangs")

    store.forget_server()
    with monkeypatch.context() as patch:
        patch.setattr(store, "_send", time_out)
        for _ in range(5):
            with pytest.raises(BoardsUnavailable):
                store.run([READ])
        assert len(asked) == 1

    with pytest.raises(BoardsUnavailable):
        store.run([READ])
    clock.seconds += PAUSE_SECONDS
    assert store.run([READ]) == [0]
    assert store.run([READ]) == [0]


def test_an_error_of_a_script_is_no_outage(clock: Clock) -> None:
    store.forget_server()
    for _ in range(2):
        with pytest.raises(redis.ResponseError):
            store.run([Call("read_top", ("lb:quiz:all:global", "a", "b"), ("not a number", 1, 0))])

    assert store.run([READ]) == [0]
