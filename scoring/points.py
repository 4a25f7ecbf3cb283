"""Points: decimals outside, whole numbers of the leaderboard's smallest unit inside. Pure, and never a float.

A leaderboard declares its scale, 0 to 6 decimals: with scale 3, `12.345` is 12,345 units.
"""

from decimal import Context, Decimal, Inexact, InvalidOperation, Overflow

MAX_SCALE = 6

Points = int | Decimal
"""As shown: whole where the scale is 0, else a decimal that prints exactly what came in."""


_exactly = Context(prec=40, Emax=40, Emin=-40, traps=[Inexact, InvalidOperation, Overflow])


def to_units(points: Points, scale: int) -> int:
    """The number of smallest units. ValueError if it is not finite or has more decimals than the scale."""
    if isinstance(points, int):
        return points * int(10**scale)
    try:
        return int(_exactly.to_integral_exact(_exactly.scaleb(points, scale)))
    except (ArithmeticError, ValueError) as error:
        raise ValueError(f"not a number with up to {scale} decimals") from error


def from_units(units: int, scale: int) -> Points:
    """The points as shown: 12,345 units of scale 3 are 12.345; 12,500 are 12.5; 12,000 are 12."""
    if scale == 0:
        return units
    whole, fraction = divmod(abs(units), 10**scale)
    digits = f"{fraction:0{scale}d}".rstrip("0")
    sign = "-" if units < 0 else ""
    return Decimal(f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}")
