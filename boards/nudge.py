"""The nudge: after a commit, ask for a relay at once.

Costs the request the setting of a flag. A thread of the process does the sending, at most once in a pause for each queue, so
that a burst of commits is one message. It may get lost: the sweep of the next second is the guarantee.
"""

import logging
import threading
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

PAUSE_SECONDS = 0.2

BUSY_COMMITS = 4
"""More commits than that in one pause: the process is busy."""

BUSY_PAUSE_SECONDS = 0.5
"""Then boards are brought up to date less often, and more at once: at 25,000 scores a second a fifth of the workers' time."""


class Nudger:
    def __init__(self, send: Callable[[str], object]) -> None:
        self._send = send
        self._wanted: set[str] = set()
        self._commits = 0
        self._wake = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def nudge(self, queue: str) -> None:
        """Never blocks, never raises."""
        self._wanted.add(queue)
        self._commits += 1
        self._wake.set()
        # Asked each time: a server that forks leaves its children without the thread.
        if self._thread is None or not self._thread.is_alive():
            self._start()

    def _start(self) -> None:
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="nudge", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            while self._wanted:
                queue = self._wanted.pop()
                try:
                    self._send(queue)
                except Exception as error:
                    log.info("nudge of %s was lost: %s", queue, error)
            is_busy = self._commits > BUSY_COMMITS
            self._commits = 0
            time.sleep(BUSY_PAUSE_SECONDS if is_busy else PAUSE_SECONDS)
