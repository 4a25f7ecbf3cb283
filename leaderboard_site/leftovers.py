"""Programs that a killed `up` left running: remembered in the data directory, ended at the next start.

On Linux the kernel ends them by itself (see `embedded.parent_death`); this is for the rest.
"""

import contextlib
import json
from collections.abc import Iterable
from pathlib import Path

import psutil

STOP_SECONDS = 5.0


def remember(file: Path, process_ids: Iterable[int]) -> None:
    """Write who is running; the time of birth tells a process from a later one with its number."""
    born = {}
    for process_id in process_ids:
        try:
            born[process_id] = psutil.Process(process_id).create_time()
        except psutil.NoSuchProcess:
            continue
    file.write_text(json.dumps(born))


def end_leftovers(file: Path) -> int:
    """End all that `remember` wrote down and their children. Returns how many there were."""
    try:
        born = json.loads(file.read_text())
    except (FileNotFoundError, ValueError):
        return 0
    processes: list[psutil.Process] = []
    for process_id, create_time in born.items():
        try:
            process = psutil.Process(int(process_id))
            if process.create_time() == create_time:
                processes += [process, *process.children(recursive=True)]
        except psutil.NoSuchProcess:
            continue
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.terminate()
    _, alive = psutil.wait_procs(processes, STOP_SECONDS)
    for process in alive:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(alive, STOP_SECONDS)
    file.unlink(missing_ok=True)
    return len(processes)
