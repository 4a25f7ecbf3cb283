"""Which packing a leaderboard gets: by its tie rule and the range it declares, and none that would not be exact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.packing import EXACT, MAX_DECIMAL, SLOT, WIDE_SPAN, Packing, choose_packing
from scoring.ranking import Order, Ties

ends = st.integers(-2 * EXACT, 2 * EXACT) | st.sampled_from(
    [
        base + step
        for base in (0, MAX_DECIMAL, -MAX_DECIMAL, WIDE_SPAN, -WIDE_SPAN, EXACT, -EXACT)
        for step in (-1, 0, 1)
    ]
)


@given(st.sampled_from(Order), st.sampled_from(Ties), ends, ends)
def test_a_packing_that_is_chosen_takes_every_total_of_the_range(order: Order, ties: Ties, low: int, high: int) -> None:
    try:
        packing = choose_packing(order, ties, low, high)
    except ValueError:
        return
    for points in {low, (low + high) // 2, high}:
        for accept_no in (0, SLOT - 1):
            assert packing.unpack_points(str(float(packing.pack(points, accept_no)))) == points


@pytest.mark.parametrize("ties", [Ties.FIRST, Ties.LATEST_FIRST])
@pytest.mark.parametrize(
    ("low", "high", "wide"),
    [
        (0, MAX_DECIMAL, False),
        (-MAX_DECIMAL, MAX_DECIMAL, False),
        (0, MAX_DECIMAL + 1, True),
        (-MAX_DECIMAL - 1, 0, True),
        (0, WIDE_SPAN, True),
        (-WIDE_SPAN, 0, True),
        (EXACT - WIDE_SPAN, EXACT, True),
        (5, 5, False),
    ],
)
def test_what_decimal_packing_holds_is_not_packed_wide(ties: Ties, low: int, high: int, wide: bool) -> None:
    assert choose_packing(Order.HIGH, ties, low, high) == Packing(ties, 1, wide, low if wide else 0)
    assert choose_packing(Order.LOW, ties, low, high) == Packing(ties, -1, wide, -high if wide else 0)


@pytest.mark.parametrize("order", Order)
def test_points_alone_are_packed_where_ties_share_a_rank(order: Order) -> None:
    assert choose_packing(order, Ties.SHARED, -EXACT, EXACT) == Packing(Ties.SHARED, order.direction)


@pytest.mark.parametrize(
    ("ties", "low", "high", "says"),
    [
        (Ties.FIRST, 1, 0, "below the lowest"),
        (Ties.SHARED, 1, 0, "below the lowest"),
        (Ties.FIRST, 0, WIDE_SPAN + 1, "too far apart"),
        (Ties.LATEST_FIRST, -1, WIDE_SPAN, "too far apart"),
        (Ties.SHARED, 0, EXACT + 1, "can't be ranked exactly"),
        (Ties.SHARED, -EXACT - 1, 0, "can't be ranked exactly"),
    ],
)
@pytest.mark.parametrize("order", Order)
def test_a_range_that_no_packing_holds_is_refused(order: Order, ties: Ties, low: int, high: int, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        choose_packing(order, ties, low, high)


def test_the_widest_range_is_as_the_decision_says() -> None:
    assert WIDE_SPAN == 921_886_842
