"""How much is being scored: what nobody waits for makes room while scores pour in."""

import time

from scoring.headroom import newest_accept_no

MUCH = 2_000
"""Scores a second, from which on each of them meets whatever else is being done."""


class Traffic:
    """What has been accepted since this was made, in whatever leaderboard. 1 query to begin with, and 1 each time it is asked."""

    def __init__(self) -> None:
        self._began_at = time.monotonic()
        self._first_accept_no = newest_accept_no()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began_at

    def is_much(self) -> bool:
        """Whether it has been more than MUCH a second."""
        return newest_accept_no() - self._first_accept_no > MUCH * self.seconds
