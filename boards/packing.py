"""Packing: points and acceptance number in one Redis score. Pure.

A sorted set's scores are doubles, exact for integers up to 2^53. More points win; on equal points the smaller acceptance
number does. Both in one integer, whose order is the board's order (DESIGN.md, "Packing").
"""

SLOT = 10**10
"""How many acceptance numbers fit under one point."""

EXACT = 2**53
"""The largest integer up to which a double holds every integer."""


def pack(points: int, accept_no: int) -> int:
    """One integer that sorts by points, then by earlier acceptance. ValueError if it would not be exact.

    `accept_no` counts from the period's own start. Every total up to 900,718 packs with every number; of 900,719 only
    the last numbers of the slot would fit.
    """
    if not 0 <= accept_no < SLOT:
        raise ValueError(f"acceptance number {accept_no} is outside 0 <= n < {SLOT}")
    packed = points * SLOT + (SLOT - 1 - accept_no)
    if not -EXACT <= packed <= EXACT:
        raise ValueError(f"{points} points can't be packed exactly")
    return packed


def unpack_points(packed: int) -> int:
    """The points of a packed score; also of negative ones, since division rounds down."""
    return packed // SLOT


def unpack_accept_no(packed: int) -> int:
    """The acceptance number, counted from the period's start."""
    return SLOT - 1 - packed % SLOT
