"""Packing: points and acceptance number in one Redis score. Pure.

A sorted set's scores are doubles. Better is always higher: for leaderboards where few points win, points count negative.
Three ways, chosen by the tie rule and the range that the leaderboard declares (DESIGN.md, "Packing"):

- decimal: `points * SLOT + place in the slot`, exact up to 2^53;
- wide: the same integer, counted from the lowest possible points, taken as the bits of a double. Finite positive doubles
  sort as their bits do, so that 63 bits are exact instead of 53;
- points alone, where equal points share a rank.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.ranking import Order, Ties

SLOT = 10**10
"""How many acceptance numbers fit under one point."""

EXACT = 2**53
"""The largest integer up to which a double holds every integer."""

LARGEST_BITS = 0x7FEF_FFFF_FFFF_FFFF
"""The bits of the largest finite double."""


class Unpackable(ValueError):
    """These points with this acceptance number don't fit into one score exactly."""


@dataclass(frozen=True, slots=True)
class Packing:
    """How one period's scores are packed. `lowest` is the least direction * points there can be; used by wide packing."""

    ties: Ties = Ties.FIRST
    direction: int = 1
    wide: bool = False
    lowest: int = 0

    def pack(self, points: int, accept_no: int) -> int | str:
        """A score for Redis that sorts by the leaderboard's rules. Unpackable if it would not be exact.

        `accept_no` counts from the period's own start.
        """
        better = points * self.direction
        if self.ties is Ties.SHARED:
            return _exact(better, points)
        if not 0 <= accept_no < SLOT:
            raise Unpackable(f"acceptance number {accept_no} is outside 0 <= n < {SLOT}")
        place = SLOT - 1 - accept_no if self.ties is Ties.FIRST else accept_no
        if not self.wide:
            return _exact(better * SLOT + place, points)
        bits = (better - self.lowest) * SLOT + place
        if not 0 <= bits <= LARGEST_BITS:
            raise Unpackable(f"{points} points can't be packed exactly")
        # repr() gives the shortest text that reads back as the very same double.
        return repr(struct.unpack(">d", struct.pack(">Q", bits))[0])

    def pack_all(self, points: Sequence[int], accept_nos: Sequence[int]) -> list[int | str]:
        """What `pack` makes of each pair, in their order. Unpackable if one of them does not fit.

        A fifth of its cost where decimal packing takes all of them with any acceptance number.
        """
        is_decimal = not self.wide and self.ties is not Ties.SHARED
        if not (
            is_decimal
            and points
            and -MAX_DECIMAL <= min(points) <= max(points) <= MAX_DECIMAL
            and 0 <= min(accept_nos) <= max(accept_nos) < SLOT
        ):
            return list(map(self.pack, points, accept_nos))
        step = self.direction * SLOT
        if self.ties is Ties.FIRST:
            return [some * step + SLOT - 1 - accept_no for some, accept_no in zip(points, accept_nos, strict=True)]
        return [some * step + accept_no for some, accept_no in zip(points, accept_nos, strict=True)]

    def unpack_points(self, score: bytes | str) -> int:
        """The points of a score as Redis prints it."""
        value = float(score)
        if self.ties is Ties.SHARED:
            better = int(value)
        elif not self.wide:
            # Rounds down, so it holds for negative points too.
            better = int(value) // SLOT
        else:
            better = struct.unpack(">Q", struct.pack(">d", value))[0] // SLOT + self.lowest
        return better * self.direction


def _exact(value: int, points: int) -> int:
    if not -EXACT <= value <= EXACT:
        raise Unpackable(f"{points} points can't be packed exactly")
    return value


MAX_DECIMAL = 900_718
"""The largest points that decimal packing takes with every acceptance number; of 900,719 only the last ones would fit."""

WIDE_SPAN = LARGEST_BITS // SLOT - 1
"""How far lowest and highest points of a wide leaderboard may be apart: 921,886,842."""


def choose_packing(order: Order, ties: Ties, min_total: int, max_total: int) -> Packing:
    """The packing for totals from `min_total` to `max_total` units. ValueError if no packing holds them all."""
    direction = order.direction
    if max_total < min_total:
        raise ValueError("the highest total is below the lowest")
    if ties is Ties.SHARED:
        if max(abs(min_total), abs(max_total)) > EXACT:
            raise ValueError(f"totals beyond {EXACT:,} units can't be ranked exactly")
        return Packing(ties, direction)
    if max(abs(min_total), abs(max_total)) <= MAX_DECIMAL:
        return Packing(ties, direction)
    if max_total - min_total > WIDE_SPAN:
        raise ValueError(
            f"totals from {min_total:,} to {max_total:,} units are too far apart to be ranked exactly with their ties:"
            f" {WIDE_SPAN:,} at the most"
        )
    return Packing(ties, direction, wide=True, lowest=min(min_total * direction, max_total * direction))
