"""Workers that a test may kill: forked from a process that has loaded everything, so that each is there within moments.

`python -m tests.rebuilds.mortal_workers` forks one for each line on stdin and prints its process id. A worker does what the
workers of the queue `rebuilds` do, in shorter steps, until it is killed.
"""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta

import django

CLAIM = timedelta(seconds=0.3)
STEP_SECONDS = 0.1
POLL_SECONDS = 0.02


class Nursery:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def start_worker(self) -> int:
        """Its process id."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print("one more", file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())


@contextlib.contextmanager
def nursery(database_url: str) -> Iterator[Nursery]:
    """Workers of this database; those that are left die with the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.rebuilds.mortal_workers"],
        env={**os.environ, "DATABASE_URL": database_url, "PYTHONWARNINGS": "ignore"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Nursery(process)
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.wait()
        process.stdout.close()


def work() -> None:
    from django.utils import timezone

    from rebuilds.running import run_turn, sweep

    while True:
        for turn in sweep(timezone.now(), CLAIM, at_once=1):
            following = run_turn(turn, timezone.now, CLAIM, STEP_SECONDS)
            while following is not None:
                following = run_turn(following, timezone.now, CLAIM, STEP_SECONDS)
        time.sleep(POLL_SECONDS)


def main() -> None:
    django.setup()
    workers = []
    for _ in sys.stdin:
        worker = os.fork()
        if worker == 0:
            # What it logs is no process id.
            os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
            work()
        workers.append(worker)
        print(worker, flush=True)
    for worker in workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, 9)
        os.waitpid(worker, 0)


if __name__ == "__main__":
    main()
