"""Working on jobs in the own process, beside the workers or without them: for commands."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from uuid import UUID

from rebuilds.jobs import load_request
from rebuilds.models import BoardJob
from rebuilds.running import Turn, run_turn, sweep

SLICE_SECONDS = 0.5
POLL_SECONDS = 0.2


def drive(request: UUID, clock: Callable[[], datetime], claim: timedelta, at_once: int) -> Iterator[list[BoardJob]]:
    """Do whatever there is to do until all jobs of the request are over; yields how they stand, about twice a second."""
    turns: deque[Turn] = deque()
    while True:
        jobs = load_request(request)
        yield jobs
        if all(job.finished_at for job in jobs):
            return
        turns.extend(sweep(clock(), claim, at_once))
        if not turns:
            time.sleep(POLL_SECONDS)
        elif following := run_turn(turns.popleft(), clock, claim, SLICE_SECONDS):
            turns.append(following)
