"""Who uses the CPU while something is measured."""

import contextlib
import time
from collections.abc import Iterator, Mapping

import psutil

from benchmarks.figures import CpuUse, Results


@contextlib.contextmanager
def cpu_measured(results: Results, what: str, groups: Mapping[str, int]) -> Iterator[dict[str, float]]:
    """Add the CPU use of the block to `results`, our own too; `groups`: a root process for each name.

    For processes that end within the block, put the seconds into the dictionary that is yielded.
    """
    ended: dict[str, float] = {}
    before = {name: cpu_seconds(process_id) for name, process_id in groups.items()}
    started_at, own_before = time.monotonic(), time.process_time()
    yield ended
    seconds, own = time.monotonic() - started_at, time.process_time() - own_before
    used = {name: cpu_seconds(process_id) - before[name] for name, process_id in groups.items()}
    results.cpu.append(CpuUse(what, seconds, used | ended | {"benchmark": own}))


def cpu_seconds(process_id: int) -> float:
    """User and system time of a process and all below it, those that have ended and were waited for included."""
    total = 0.0
    root = psutil.Process(process_id)
    for process in (root, *root.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total
