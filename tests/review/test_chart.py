"""The chart's numbers: every dot inside of the picture, in the order of time, as high as its points."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from boards.review.chart import HEIGHT, WIDTH, Sample, draw
from scoring.ranking import Operator

START = datetime(2026, 10, 19, 14, 45, tzinfo=UTC)


def samples(*points: int, voided: tuple[int, ...] = ()) -> list[Sample]:
    return [Sample(START + timedelta(minutes=n), each, n in voided, f"match-{n}") for n, each in enumerate(points)]


histories = st.lists(
    st.tuples(st.integers(0, 10**6), st.integers(-(2**53), 2**53) | st.decimals(-1000, 1000, places=3), st.booleans()),
    min_size=1,
    max_size=50,
).map(
    lambda rows: [
        Sample(START + timedelta(seconds=at), points, is_voided, "m") for at, points, is_voided in sorted(rows)
    ]
)


@given(histories, st.sampled_from(Operator))
def test_every_dot_is_inside_and_none_goes_back_in_time(history: list[Sample], operator: Operator) -> None:
    chart = draw("quiz", operator, history)

    assert [dot.sample for dot in chart.dots] == history
    assert all(0 <= dot.x <= WIDTH and 0 <= dot.y <= HEIGHT for dot in chart.dots)
    assert all(one.x <= next_one.x for one, next_one in pairwise(chart.dots))
    assert chart.lowest <= chart.highest


def test_points_that_add_up_are_shown_as_their_sum() -> None:
    chart = draw("quiz", Operator.ADD, samples(10, 20, 10))

    assert (chart.lowest, chart.highest) == (0, 40)
    assert [dot.y for dot in chart.dots] == [90, 30, 0]
    assert chart.line == "M0 90H500V30H1000V0"


def test_a_voided_event_adds_nothing() -> None:
    chart = draw("quiz", Operator.ADD, samples(10, 1000, 10, voided=(1,)))

    assert chart.highest == 20
    assert [dot.sample.is_voided for dot in chart.dots] == [False, True, False]


def test_other_points_stand_for_themselves() -> None:
    chart = draw("laps", Operator.BEST, samples(40, 20, 30))

    assert (chart.lowest, chart.highest, chart.line) == (20, 40, "")
    assert [dot.y for dot in chart.dots] == [0, HEIGHT, HEIGHT // 2]


def test_one_event_stands_in_the_middle() -> None:
    (dot,) = draw("laps", Operator.LATEST, samples(7)).dots

    assert (dot.x, dot.y) == (WIDTH // 2, HEIGHT // 2)
