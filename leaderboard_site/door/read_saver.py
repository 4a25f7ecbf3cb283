"""Saves how much boards are read, once in a while, beside the requests: no read waits for PostgreSQL, or knows that it is away."""

import logging
import threading

from django.utils import timezone

from boards.read_counts import save_counted_reads
from leaderboard_site.door.threads import with_database

log = logging.getLogger(__name__)

SAVE_EVERY_SECONDS = 60.0
"""What a killed process loses; an order of boards that is right to the minute is right enough."""


class ReadSaver:
    def __init__(self, every_seconds: float = SAVE_EVERY_SECONDS) -> None:
        self._every_seconds = every_seconds
        self._closed = threading.Event()
        # The process need not wait for a statement that hangs.
        self._thread = threading.Thread(target=self._run, name="read-saver", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Save no more. What was counted since the last time is given up."""
        self._closed.set()

    def _run(self) -> None:
        save = with_database(lambda: save_counted_reads(timezone.now()))
        while not self._closed.wait(self._every_seconds):
            try:
                save()
            except Exception:
                # Whatever is wrong, it is tried again with what comes meanwhile.
                log.warning("the counts of reads could not be saved", exc_info=True)
