"""What a run has counted and timed."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field


def quantile(values: Sequence[float], share: float) -> float | None:
    """The smallest value that is at least as large as `share` of all (nearest rank); None of none."""
    if not values:
        return None
    place = max(math.ceil(share * len(values)), 1)
    return sorted(values)[place - 1]


@dataclass
class Tally:
    """Of one run. Times in seconds."""

    sent: int = 0
    accepted: int = 0
    duplicates: int = 0
    rejected: int = 0
    rejected_codes: Counter[str] = field(default_factory=Counter)
    repeated_requests: int = 0
    """After 429, 503, or a connection that was refused or lost."""
    visible_after: list[float] = field(default_factory=list)
    """From a 202 until a read shows its total, for each player watched."""
    never_visible: int = 0
    read_after: list[float] = field(default_factory=list)
    """Latency of each read that players asked for."""
    reading_seconds: float = 0.0
    """How long there were readers."""
