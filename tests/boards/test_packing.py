"""Packing: one integer that sorts as the board does, and that a double holds exactly."""

import pytest
from boards.packing import EXACT, SLOT, pack, unpack_accept_no, unpack_points
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import MAX_DECIMAL_TOTAL

all_points = st.integers(-MAX_DECIMAL_TOTAL, MAX_DECIMAL_TOTAL)
accept_nos = st.integers(0, SLOT - 1) | st.sampled_from([0, 1, SLOT - 2, SLOT - 1])


@pytest.mark.parametrize(
    ("points", "accept_no", "packed"),
    [(120, 4_000_000, 1_209_995_999_999), (120, 4_500_000, 1_209_995_499_999), (0, 0, SLOT - 1), (0, SLOT - 1, 0)],
)
def test_the_worked_values_of_the_design(points: int, accept_no: int, packed: int) -> None:
    assert pack(points, accept_no) == packed


@given(all_points, accept_nos)
def test_what_is_packed_comes_out_again(points: int, accept_no: int) -> None:
    packed = pack(points, accept_no)

    assert (unpack_points(packed), unpack_accept_no(packed)) == (points, accept_no)


@given(all_points, accept_nos)
def test_a_double_holds_every_packed_score_exactly(points: int, accept_no: int) -> None:
    packed = pack(points, accept_no)

    assert int(float(packed)) == packed
    assert float(packed) != float(packed + 1)
    assert float(packed) != float(packed - 1)


@given(st.tuples(all_points, accept_nos), st.tuples(all_points, accept_nos))
def test_more_points_rank_higher_and_on_equal_points_the_earlier(one: tuple[int, int], two: tuple[int, int]) -> None:
    by_rule = (one[0], -one[1]) > (two[0], -two[1])

    assert (pack(*one) > pack(*two)) == by_rule
    assert (float(pack(*one)) > float(pack(*two))) == by_rule


@given(st.integers(-5, 5), accept_nos, accept_nos)
def test_on_equal_points_only_the_acceptance_number_decides(points: int, one: int, two: int) -> None:
    assert (pack(points, one) > pack(points, two)) == (one < two)


@given(st.integers(max_value=-1) | st.integers(min_value=SLOT))
def test_an_acceptance_number_outside_the_slot_is_refused(accept_no: int) -> None:
    with pytest.raises(ValueError, match="acceptance number"):
        pack(1, accept_no)


@pytest.mark.parametrize("accept_no", [0, 1, SLOT // 2, SLOT - 1])
def test_the_largest_total_of_intake_packs_with_every_acceptance_number(accept_no: int) -> None:
    assert unpack_points(pack(MAX_DECIMAL_TOTAL, accept_no)) == MAX_DECIMAL_TOTAL
    assert unpack_points(pack(-MAX_DECIMAL_TOTAL, accept_no)) == -MAX_DECIMAL_TOTAL


def test_one_point_more_does_not_pack_with_every_acceptance_number() -> None:
    assert pack(MAX_DECIMAL_TOTAL + 1, SLOT - 1) <= EXACT
    with pytest.raises(ValueError, match="exactly"):
        pack(MAX_DECIMAL_TOTAL + 1, 0)


@given(st.integers(min_value=MAX_DECIMAL_TOTAL + 2) | st.integers(max_value=-MAX_DECIMAL_TOTAL - 3), accept_nos)
def test_what_is_beyond_exactness_is_refused_with_every_acceptance_number(points: int, accept_no: int) -> None:
    with pytest.raises(ValueError, match="exactly"):
        pack(points, accept_no)
