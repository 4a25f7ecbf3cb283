"""What nobody waits for, done in a quarter of the time while scores pour in, and at full speed when they don't.

Beside a nightly verification at full speed, 9,000 single posts a second became 6,000: PostgreSQL and Redis do for it what they do for
scores, on the same cores, at whatever priority its worker runs.
"""

from time import sleep

from scoring.traffic import Traffic

WORK_SECONDS = 0.25
"""About as long at a stretch, for work that can be taken up anywhere."""

RESTS = 3
"""Times as long as it has worked."""

MOST_REST_SECONDS = 1.0
"""Its worker has other work too."""


class Leisure:
    def __init__(self) -> None:
        """Work begins."""
        self._traffic = Traffic()

    def rest(self) -> None:
        """Between two pieces of work: sleep, if scores have poured in since the last rest. 2 queries."""
        if self._traffic.is_much():
            sleep(min(self._traffic.seconds * RESTS, MOST_REST_SECONDS))
        self._traffic = Traffic()
