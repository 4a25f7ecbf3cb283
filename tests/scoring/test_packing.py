"""Packing: one score that sorts as the board does, and that a double holds exactly."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.packing import EXACT, LARGEST_BITS, MAX_DECIMAL, SLOT, WIDE_SPAN, Packing, Unpackable
from scoring.ranking import Ties

accept_nos = st.integers(0, SLOT - 1) | st.sampled_from([0, 1, SLOT - 2, SLOT - 1])
spans = st.sampled_from([0, 1, 1000, WIDE_SPAN])
ties = st.sampled_from([Ties.FIRST, Ties.LATEST_FIRST])

Row = tuple[int, int]


@st.composite
def packings(draw: st.DrawFn) -> tuple[Packing, st.SearchStrategy[Row]]:
    """A packing that keeps the acceptance number, and rows that it must take."""
    direction = draw(st.sampled_from([1, -1]))
    if draw(st.booleans()):
        points = st.integers(-MAX_DECIMAL, MAX_DECIMAL) | st.sampled_from([-MAX_DECIMAL, -1, 0, 1, MAX_DECIMAL])
        return Packing(draw(ties), direction), st.tuples(points, accept_nos)
    lowest = draw(st.integers(-EXACT, EXACT) | st.sampled_from([-EXACT, 0, EXACT - WIDE_SPAN]))
    span = draw(spans)
    better = st.integers(lowest, lowest + span) | st.sampled_from([lowest, lowest + span])
    rows = st.tuples(better.map(lambda points: points * direction), accept_nos)
    return Packing(draw(ties), direction, wide=True, lowest=lowest), rows


def printed(packing: Packing, row: Row) -> str:
    """The score as Redis prints it: 17 digits."""
    return f"{float(packing.pack(*row)):.17g}"


@pytest.mark.parametrize(
    ("points", "accept_no", "packed"),
    [(120, 4_000_000, 1_209_995_999_999), (120, 4_500_000, 1_209_995_499_999), (0, 0, SLOT - 1), (0, SLOT - 1, 0)],
)
def test_the_worked_values_of_the_design(points: int, accept_no: int, packed: int) -> None:
    assert Packing().pack(points, accept_no) == packed


def test_wide_packing_is_the_same_integer_as_the_bits_of_a_double() -> None:
    packed = float(Packing(wide=True).pack(120, 4_000_000))

    assert struct.unpack(">Q", struct.pack(">d", packed)) == (1_209_995_999_999,)


@given(st.data(), packings())
def test_points_that_are_packed_come_out_again(
    data: st.DataObject, drawn: tuple[Packing, st.SearchStrategy[Row]]
) -> None:
    packing, rows = drawn
    row = data.draw(rows)

    assert packing.unpack_points(printed(packing, row)) == row[0]
    assert packing.unpack_points(printed(packing, row).encode()) == row[0]


@given(st.data(), packings())
def test_scores_sort_by_points_and_then_by_acceptance_number(
    data: st.DataObject, drawn: tuple[Packing, st.SearchStrategy[Row]]
) -> None:
    """Compared as the doubles that Redis compares. So no two rows share a score, and the acceptance number is exact."""
    packing, rows = drawn
    one, two = data.draw(rows), data.draw(rows)
    sign = -1 if packing.ties is Ties.FIRST else 1

    def by_rule(row: Row) -> Row:
        return row[0] * packing.direction, sign * row[1]

    assert (float(packing.pack(*one)) > float(packing.pack(*two))) == (by_rule(one) > by_rule(two))
    assert (float(packing.pack(*one)) == float(packing.pack(*two))) == (one == two)


@given(st.data(), packings() | st.just((Packing(Ties.SHARED), st.tuples(st.integers(-EXACT, EXACT), accept_nos))))
def test_many_at_once_pack_as_one_by_one(data: st.DataObject, drawn: tuple[Packing, st.SearchStrategy[Row]]) -> None:
    packing, rows = drawn
    some = data.draw(st.lists(rows, max_size=5))

    assert packing.pack_all([row[0] for row in some], [row[1] for row in some]) == [packing.pack(*row) for row in some]


@pytest.mark.parametrize("misfit", [(MAX_DECIMAL + 1, 0), (-MAX_DECIMAL - 2, SLOT - 1), (1, -1), (1, SLOT)])
def test_one_that_does_not_fit_is_refused_among_many(misfit: Row) -> None:
    points, accept_nos = zip((5, 5), misfit, (7, 7), strict=True)

    with pytest.raises(Unpackable):
        Packing().pack_all(points, accept_nos)


def test_all_that_fit_are_packed_also_where_others_would_not() -> None:
    fitting = [(MAX_DECIMAL + 1, SLOT - 1), (5, 0)]

    assert Packing().pack_all(*zip(*fitting, strict=True)) == [Packing().pack(*row) for row in fitting]


@given(st.data(), packings(), st.integers(0, SLOT - 2))
def test_neighbouring_acceptance_numbers_are_told_apart(
    data: st.DataObject, drawn: tuple[Packing, st.SearchStrategy[Row]], accept_no: int
) -> None:
    packing, rows = drawn
    points, _ = data.draw(rows)
    earlier, later = (float(packing.pack(points, number)) for number in (accept_no, accept_no + 1))

    assert (earlier > later) == (packing.ties is Ties.FIRST)
    assert earlier != later


@given(st.integers(-MAX_DECIMAL, MAX_DECIMAL), accept_nos)
def test_a_double_holds_every_packed_score_exactly(points: int, accept_no: int) -> None:
    packed = Packing().pack(points, accept_no)

    assert isinstance(packed, int)
    assert int(float(packed)) == packed
    assert float(packed) != float(packed + 1)
    assert float(packed) != float(packed - 1)


@pytest.mark.parametrize("wide", [False, True])
@given(st.integers(max_value=-1) | st.integers(min_value=SLOT))
def test_an_acceptance_number_outside_the_slot_is_refused(wide: bool, accept_no: int) -> None:
    with pytest.raises(Unpackable, match="acceptance number"):
        Packing(wide=wide).pack(1, accept_no)


def test_where_points_alone_are_packed_acceptance_numbers_never_run_out() -> None:
    assert Packing(Ties.SHARED).pack(5, SLOT) == Packing(Ties.SHARED).pack(5, -1) == 5


@pytest.mark.parametrize("accept_no", [0, 1, SLOT // 2, SLOT - 1])
def test_the_largest_decimal_total_packs_with_every_acceptance_number(accept_no: int) -> None:
    for points in (MAX_DECIMAL, -MAX_DECIMAL):
        assert Packing().unpack_points(str(Packing().pack(points, accept_no))) == points


def test_one_point_more_does_not_pack_with_every_acceptance_number() -> None:
    packed = Packing().pack(MAX_DECIMAL + 1, SLOT - 1)
    assert isinstance(packed, int)
    assert packed <= EXACT
    with pytest.raises(Unpackable, match="exactly"):
        Packing().pack(MAX_DECIMAL + 1, 0)


@given(st.integers(min_value=MAX_DECIMAL + 2) | st.integers(max_value=-MAX_DECIMAL - 3), accept_nos)
def test_what_is_beyond_exactness_is_refused_with_every_acceptance_number(points: int, accept_no: int) -> None:
    with pytest.raises(Unpackable, match="exactly"):
        Packing().pack(points, accept_no)


@pytest.mark.parametrize("points", [EXACT - 1, EXACT, -EXACT + 1, -EXACT])
def test_points_alone_are_exact_up_to_two_to_the_53(points: int) -> None:
    shared = Packing(Ties.SHARED)

    assert shared.unpack_points(printed(shared, (points, 0))) == points


@pytest.mark.parametrize("points", [EXACT + 1, -EXACT - 1])
def test_points_alone_beyond_two_to_the_53_are_refused(points: int) -> None:
    with pytest.raises(Unpackable, match="exactly"):
        Packing(Ties.SHARED).pack(points, 0)


@pytest.mark.parametrize("direction", [1, -1])
def test_wide_packing_ends_at_the_largest_double(direction: int) -> None:
    wide = Packing(direction=direction, wide=True)

    assert wide.pack((WIDE_SPAN + 1) * direction, SLOT - 1 - LARGEST_BITS % SLOT) == "1.7976931348623157e+308"
    for points, accept_no in ((WIDE_SPAN + 1, SLOT - 2 - LARGEST_BITS % SLOT), (WIDE_SPAN + 2, SLOT - 1), (-1, 0)):
        with pytest.raises(Unpackable, match="exactly"):
            wide.pack(points * direction, accept_no)
