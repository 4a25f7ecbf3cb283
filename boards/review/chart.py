"""A small chart of points over time, as the numbers of an inline SVG. Pure.

The picture is stretched to the width of the page: lines and dots keep their thickness, and texts stand beside it as HTML.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import NamedTuple

from scoring.points import Points
from scoring.ranking import Operator

WIDTH, HEIGHT = 1000, 120


class Sample(NamedTuple):
    """One event, as far as the chart is concerned."""

    at: datetime
    points: Points
    is_voided: bool
    match_id: str


class Dot(NamedTuple):
    x: int
    y: int
    sample: Sample


@dataclass(frozen=True, slots=True)
class Chart:
    """`line` is an SVG path, empty where points don't add up; `highest` and `lowest` are what its upper and lower edge mean."""

    leaderboard: str
    adds_up: bool
    line: str
    dots: list[Dot]
    highest: Points
    lowest: Points
    first_at: datetime
    last_at: datetime


def draw(leaderboard: str, operator: Operator, samples: Sequence[Sample]) -> Chart:
    """Samples, at least one, oldest first. Where points add up, a dot stands at their sum up to then, else at its own points."""
    adds_up = operator is Operator.ADD
    heights: list[Points] = [0 if sample.is_voided and adds_up else sample.points for sample in samples]
    if adds_up:
        heights = list(accumulate(heights))
    highest, lowest = max(heights), min(*heights, 0) if adds_up else min(heights)
    first_at, last_at = samples[0].at, samples[-1].at
    dots = [
        Dot(
            _along((sample.at - first_at).total_seconds(), (last_at - first_at).total_seconds(), WIDTH),
            HEIGHT - _along(float(height - lowest), float(highest - lowest), HEIGHT),
            sample,
        )
        for sample, height in zip(samples, heights, strict=True)
    ]
    line = _steps(dots) if adds_up else ""
    return Chart(leaderboard, adds_up, line, dots, highest, lowest, first_at, last_at)


def _along(part: float, whole: float, length: int) -> int:
    """In the middle where there is no whole to be a part of."""
    return round(part / whole * length) if whole else length // 2


def _steps(dots: Sequence[Dot]) -> str:
    first, *others = dots
    return f"M{first.x} {first.y}" + "".join(f"H{dot.x}V{dot.y}" for dot in others)
