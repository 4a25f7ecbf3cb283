"""Waiting for a condition, with a limit."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

WITHIN_SECONDS = 45.0
"""Far above what it takes (a few seconds), for machines that are busy; below the broker's visibility timeout of 60, after
which a lost message comes back without any help of ours."""

POLL_SECONDS = 0.05


def eventually(
    condition: Callable[[], T], otherwise: str | Callable[[], str], within_seconds: float = WITHIN_SECONDS
) -> T:
    """The first true value of the condition. Raises AssertionError with `otherwise` when the time is up."""
    deadline = time.monotonic() + within_seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            what = otherwise if isinstance(otherwise, str) else otherwise()
            raise AssertionError(f"{what}, after {within_seconds:g} seconds")
        time.sleep(POLL_SECONDS)
    return value
