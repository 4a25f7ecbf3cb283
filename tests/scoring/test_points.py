"""Points: what goes in comes out digit by digit, and no float is ever made of it."""

from decimal import Decimal
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.api.reply import encode
from scoring.packing import EXACT
from scoring.points import MAX_SCALE, from_units, to_units
from scoring.submissions import Submission, parse_score

scales = st.integers(0, MAX_SCALE)
units_ = st.integers(-EXACT, EXACT) | st.sampled_from([-EXACT, -1, 0, 1, 10**6, EXACT - 1, EXACT])


def sent(points: str) -> Submission:
    parsed = parse_score(b'{"player_id":"ann","match_id":"m1","points":%s}' % points.encode())
    assert isinstance(parsed, Submission), parsed
    return parsed


@given(scales, units_)
def test_units_come_back_as_they_were(scale: int, units: int) -> None:
    assert to_units(from_units(units, scale), scale) == units


@given(scales, units_)
def test_as_number_or_as_string_the_same_digits_come_out(scale: int, units: int) -> None:
    text = encode(from_units(units, scale)).decode()

    assert Decimal(text) == Decimal(units).scaleb(-scale)
    for written in (text, f'"{text}"'):
        points = sent(written).points
        assert not isinstance(points, float)
        assert encode(from_units(to_units(points, scale), scale)).decode() == text


@pytest.mark.parametrize(
    ("written", "scale", "shown"),
    [
        ("12.345", 3, "12.345"),
        ('"12.345"', 3, "12.345"),
        ('"12.340"', 3, "12.34"),
        ("12", 3, "12"),
        ("12.000", 3, "12"),
        ("12.0", 0, "12"),
        ("1e2", 0, "100"),
        ("1.2345e1", 3, "12.345"),
        ("-0.000001", 6, "-0.000001"),
        ("-0.0", 6, "0"),
        ('"-0"', 0, "0"),
        ("0.1", 1, "0.1"),
        ("0.30000000000000000000", 1, "0.3"),
        ("9007199254740992", 0, "9007199254740992"),
        ("9007199254740993", 0, "9007199254740993"),
        ("9007199254.740993", 6, "9007199254.740993"),
        ("100000000000000000001", 0, "100000000000000000001"),
    ],
)
def test_points_as_written_and_as_shown(written: str, scale: int, shown: str) -> None:
    assert encode(from_units(to_units(sent(written).points, scale), scale)).decode() == shown


@pytest.mark.parametrize(
    ("written", "scale"),
    [
        ("0.1", 0),
        ("12.3456", 3),
        ('"12.3456"', 3),
        ("1e-7", 6),
        ("0.30000000000000004", 6),
        ("1E-99999999", 6),
        ('"NaN"', 6),
        ('"sNaN"', 6),
        ('"Infinity"', 6),
        ('"-Infinity"', 0),
        ("1E+99999999", 0),
        ('"1E+99999999"', 6),
        ("-1E+99999999", 3),
        ("1e400", 0),
        ("1." + "0" * 5_000 + "1", 6),
        ("1e41", 0),
    ],
)
def test_what_has_no_units_is_a_value_error(written: str, scale: int) -> None:
    """At once: none of them is written out in digits."""
    with pytest.raises(ValueError, match="not a number with up to"):
        to_units(sent(written).points, scale)


@given(scales, st.decimals(allow_nan=True, allow_infinity=True))
def test_any_decimal_is_exact_or_refused(scale: int, points: Decimal) -> None:
    try:
        units = to_units(points, scale)
    except ValueError:
        return
    assert isinstance(units, int)
    # Fractions: Decimal's own arithmetic keeps 28 digits.
    assert units == Fraction(points) * 10**scale


def test_the_answers_are_numbers_and_no_strings() -> None:
    assert encode({"all": from_units(12_345, 3)}) == b'{"all":12.345}'
    assert msgspec.json.decode(encode(from_units(12_345, 3)), type=Decimal) == Decimal("12.345")
