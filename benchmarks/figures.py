"""What a benchmark gives: figures, each with its goal and its yardstick, and who used the CPU meanwhile. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class GoalKind(StrEnum):
    LEAST = "at least"
    MOST = "at most"
    RATIO = "ratio at least"
    RATIO_MOST = "ratio at most"


@dataclass(frozen=True)
class Goal:
    kind: GoalKind
    bound: float

    def __str__(self) -> str:
        return f"{self.kind} {self.bound:,g}"


@dataclass(frozen=True)
class Yardstick:
    """What the same machine did in the same run without our code; in the unit of the figure."""

    name: str
    value: float


@dataclass(frozen=True)
class Figure:
    name: str
    value: float
    unit: str
    goal: Goal | None = None
    yardstick: Yardstick | None = None

    @property
    def ratio(self) -> float | None:
        return self.value / self.yardstick.value if self.yardstick else None

    @property
    def is_met(self) -> bool | None:
        """None without a goal."""
        if self.goal is None:
            return None
        if self.goal.kind is GoalKind.RATIO:
            return self.ratio is not None and self.ratio >= self.goal.bound
        if self.goal.kind is GoalKind.RATIO_MOST:
            return self.ratio is not None and self.ratio <= self.goal.bound
        return self.value >= self.goal.bound if self.goal.kind is GoalKind.LEAST else self.value <= self.goal.bound

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "goal": str(self.goal) if self.goal else None,
            "is_met": self.is_met,
            "yardstick": vars(self.yardstick) if self.yardstick else None,
            "ratio": self.ratio,
        }


@dataclass(frozen=True)
class CpuUse:
    """CPU seconds of each group of processes while `what` was measured for `seconds`."""

    what: str
    seconds: float
    by_group: Mapping[str, float]


@dataclass
class Results:
    """Of one part."""

    part: str
    figures: list[Figure] = field(default_factory=list)
    cpu: list[CpuUse] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        return {
            "part": self.part,
            "figures": [figure.as_dict() for figure in self.figures],
            "cpu": [{**vars(use), "by_group": dict(use.by_group)} for use in self.cpu],
            "notes": self.notes,
        }
