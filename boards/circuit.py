"""A circuit breaker: while a server is away, callers are told so at once instead of each waiting for a time-out.

Without it, readers of a Redis that hangs would hold every thread of a web process for the length of the time-out, and scores
would wait behind them (measured: up to 10 seconds, with 8 readers and 4 threads).
"""

import threading
import time


class Circuit:
    """Closed as long as calls work. After a failure it lets one call try in `pause_seconds`; the first that works closes it."""

    def __init__(self, pause_seconds: float) -> None:
        self._pause_seconds = pause_seconds
        self._lock = threading.Lock()
        self._next_try_at: float | None = None

    def may_try(self) -> bool:
        """Whether to call the server now."""
        with self._lock:
            if self._next_try_at is None:
                return True
            now = time.monotonic()
            if now < self._next_try_at:
                return False
            self._next_try_at = now + self._pause_seconds
            return True

    def worked(self) -> None:
        self._next_try_at = None

    def failed(self) -> None:
        with self._lock:
            self._next_try_at = time.monotonic() + self._pause_seconds
