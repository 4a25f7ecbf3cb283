"""celery-beat that ends cleanly, whatever it is in the midst of when it is told to.

Celery (5.7) writes the schedule inside the signal handler. A signal amid a query, or amid the making of a connection, then needs
the very connection that it has interrupted, and beat ends with a traceback instead of a written schedule.
"""

from threading import Thread
from typing import Any

from celery.apps import beat
from celery.platforms import signals


class Beat(beat.Beat):
    """Told to end, it finishes its start or its tick, writes the schedule and ends: within its longest sleep, a second."""

    def install_sync_handler(self, service: Any) -> None:
        def end(*_: object) -> None:
            # In a thread, since it logs, and may have interrupted a line that was being logged.
            Thread(target=service.stop, daemon=True).start()

        signals.update(SIGTERM=end, SIGINT=end)
