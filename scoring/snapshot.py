"""A value loaded from PostgreSQL and kept in the process for a short while."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from django.db import Error as DatabaseError

log = logging.getLogger(__name__)

T = TypeVar("T")


def _is_event_loop() -> bool:
    """Whether this thread is running one."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class Snapshot(Generic[T]):
    """Calls `load` at most once in `max_age_seconds`, whatever the number of threads.

    When the database does not answer, the last value stays in use: boards can be read while PostgreSQL is away.
    Without a last value, the database's error goes to the caller.
    """

    def __init__(self, load: Callable[[], T], max_age_seconds: float) -> None:
        self._load = load
        self._max_age_seconds = max_age_seconds
        self._lock = threading.Lock()
        self._value: T | None = None
        self._loaded_at = 0.0

    def get(self, max_age_seconds: float | None = None) -> T:
        """The value, loaded anew if it is older than that; by default than all callers may see it."""
        max_age_seconds = self._max_age_seconds if max_age_seconds is None else max_age_seconds
        value = self._value
        if value is not None and (self.age_seconds < max_age_seconds or _is_event_loop()):
            # An event loop waits for nothing: whoever serves by one keeps the value fresh from a thread.
            return value
        # While one thread loads, the others go on with the last value rather than queue up.
        if not self._lock.acquire(blocking=value is None):
            assert value is not None
            return value
        try:
            if self._value is not None and self.age_seconds < max_age_seconds:
                return self._value
            return self._refresh()
        finally:
            self._lock.release()

    @property
    def age_seconds(self) -> float:
        """Since it was loaded; infinite before the first time."""
        return float("inf") if self._value is None else time.monotonic() - self._loaded_at

    def refresh(self) -> None:
        """Load anew, whatever its age. The database's error, if there is no last value to go on with."""
        with self._lock:
            self._refresh()

    def forget(self) -> None:
        """The next `get` loads anew."""
        self._loaded_at = float("-inf")
        self._value = None

    def _refresh(self) -> T:
        try:
            self._value = self._load()
        except DatabaseError:
            if self._value is None:
                raise
            log.warning("the database does not answer; going on with what was loaded before", exc_info=True)
        self._loaded_at = time.monotonic()
        return self._value
