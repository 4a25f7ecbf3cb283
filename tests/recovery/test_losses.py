"""What a look at Redis means, as a pure function."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.heartbeat import Heartbeat, Pulse
from rebuilds.losses import OLD_AFTER, loss_of, sound_heartbeat
from rebuilds.models import Recovery
from tests.factories import NOW

Loss = Recovery.Loss
KNOWN = Heartbeat(100, NOW, 7_000)
SECOND = timedelta(seconds=1)


def found(number: int, seconds_before: float = 0, identity: str = "a") -> Pulse:
    return Pulse(identity, Heartbeat(number, NOW - seconds_before * SECOND, 6_000), None)


@pytest.mark.parametrize(
    ("pulse", "loss"),
    [
        (found(100), None),
        (found(101), None),
        (Pulse("a", None, None), Loss.EMPTY),
        (Pulse("b", None, None), Loss.EMPTY),
        (found(99, 1), Loss.TAIL),
        (found(40, 60), Loss.TAIL),
        (found(40, 60.001), Loss.OLD),
        (found(40, 60.001, identity="b"), Loss.OLD),
        (found(100, identity="b"), Loss.TAIL),
        (found(101, identity="b"), Loss.TAIL),
    ],
)
def test_a_loss_is_told_by_number_age_and_server(pulse: Pulse, loss: Loss | None) -> None:
    assert loss_of(KNOWN, "a", pulse) == loss


@pytest.mark.parametrize("pulse", [found(5), found(5, identity="b"), Pulse("a", None, None)])
def test_nothing_can_be_lost_that_was_never_seen(pulse: Pulse) -> None:
    assert loss_of(Heartbeat(0, NOW, 0), "", pulse) is None


@given(st.integers(1, 200), st.integers(0, 200), st.floats(0, 10_000))
def test_who_is_behind_has_always_lost_something(known: int, number: int, seconds: float) -> None:
    loss = loss_of(Heartbeat(known, NOW, 0), "a", found(number, seconds))

    assert (loss is not None) == (number < known)
    if loss is not None:
        assert (loss is Loss.OLD) == (timedelta(seconds=seconds) > OLD_AFTER)


def test_after_the_loss_of_the_end_redis_says_itself_how_far_it_has_come() -> None:
    pulse = found(90, 10)
    assert sound_heartbeat(KNOWN, pulse, Loss.TAIL) == pulse.heartbeat


@pytest.mark.parametrize("loss", [Loss.OLD, Loss.EMPTY])
def test_after_a_larger_one_only_late_writers_matter(loss: Loss) -> None:
    assert sound_heartbeat(KNOWN, found(5, 600), loss) == KNOWN
    assert sound_heartbeat(KNOWN, Pulse("a", None, None), loss) == KNOWN
