"""The site's own programs, as `manage.py up` starts them, and the bare server with the same settings."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from django.conf import settings

from benchmarks.ports import free_port, listens
from leaderboard_site.embedded.child import last_lines, stop_child
from leaderboard_site.embedded.errors import ServiceFailed
from leaderboard_site.embedded.parent_death import die_with_parent
from leaderboard_site.programs import site_programs
from leaderboard_site.supervisor import Program
from leaderboard_site.up import Options, is_ready

HOST = "127.0.0.1"
START_SECONDS = 60.0
STOP_SECONDS = 10.0
POLL_SECONDS = 0.05
SITE_APPLICATION = "leaderboard_site.asgi:application"
BARE_APPLICATION = "benchmarks.bare:application"


class ProgramFailed(ServiceFailed):
    """A program of the site has ended, or does not get ready; its log tells why."""


@contextlib.contextmanager
def running_site() -> Iterator[tuple[str, dict[str, int]]]:
    """Start web, workers and beat. Yields the address and a process for each program. Raises ProgramFailed."""
    port = free_port()
    Path(settings.STATIC_ROOT).mkdir(exist_ok=True)
    programs = site_programs(settings.ENVIRONMENT, HOST, port, settings.DATA_DIRECTORY)
    with contextlib.ExitStack() as started:
        processes = {p.name: started.enter_context(_running(p)) for p in programs}
        options = Options(host=HOST, port=port, data_directory=settings.DATA_DIRECTORY, has_demo=False)
        _await(lambda: is_ready(options), processes)
        yield options.address, {name: process.pid for name, process in processes.items()}


@contextlib.contextmanager
def running_bare() -> Iterator[tuple[str, dict[str, int]]]:
    """Start the bare server, with as many workers as the site's web has."""
    port = free_port()
    web = site_programs(settings.ENVIRONMENT, HOST, port, settings.DATA_DIRECTORY)[0]
    command = [BARE_APPLICATION if word == SITE_APPLICATION else word for word in web.command]
    assert BARE_APPLICATION in command
    with _running(Program("bare", command)) as process:
        _await(lambda: listens(port), {"bare": process})
        yield f"http://{HOST}:{port}", {"bare": process.pid}


@contextlib.contextmanager
def _running(program: Program) -> Iterator[subprocess.Popen[bytes]]:
    with _log(program.name).open("wb") as log:
        process = subprocess.Popen(
            program.command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
            start_new_session=True,
            preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509 - see there
        )
    try:
        yield process
    finally:
        stop_child(process, signal.SIGTERM, STOP_SECONDS)


def _await(is_there: Callable[[], bool], processes: Mapping[str, subprocess.Popen[bytes]]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not is_there():
        for name, process in processes.items():
            if process.poll() is not None:
                raise ProgramFailed(f"{name} has ended:\n{last_lines(_log(name))}")
        if time.monotonic() > deadline:
            raise ProgramFailed(f"{', '.join(processes)} did not get ready within {START_SECONDS:g} seconds")
        time.sleep(POLL_SECONDS)


def _log(name: str) -> Path:
    return Path(settings.DATA_DIRECTORY) / f"{name}.log"
