"""Run several programs as one: output with names before it, and the end of one is the end of all."""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from leaderboard_site.embedded.parent_death import die_with_parent

CHECK_SECONDS = 0.25
STOP_SECONDS = 6.0
READ_BYTES = 65536

Print = Callable[[str], None]


class StopRequested(BaseException):
    """Ctrl-C or SIGTERM: the wish of a person or an init system, not an error."""


@dataclass(frozen=True)
class Program:
    """Something to keep running. One that `may_end` may also finish, with exit code 0."""

    name: str
    command: Sequence[str]
    may_end: bool = False


@dataclass
class Running:
    program: Program
    process: subprocess.Popen[bytes]
    unfinished_line: bytes = b""
    is_over: bool = False


@dataclass
class Supervisor:
    """Starts programs, prints what they say, watches them, stops them.

    One thread: the kernel's "end with your parent" counts from the thread that started the child.
    """

    environment: Mapping[str, str]
    show: Print
    name_width: int = 18
    _running: list[Running] = field(default_factory=list)
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)

    def start(self, program: Program) -> None:
        process = subprocess.Popen(
            program.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(self.environment),
            # Its own group: Ctrl-C reaches us only, and its children can be ended with it.
            start_new_session=True,
            preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509 - see there
        )
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        running = Running(program, process)
        self._running.append(running)
        self._selector.register(process.stdout, selectors.EVENT_READ, running)

    def process_ids(self) -> list[int]:
        return [running.process.pid for running in self._running]

    def watch(self, until: Callable[[], bool]) -> Running | None:
        """Print output until `until()` (asked four times a second) or until a program has died.

        Returns the dead one, or None.
        """
        while not until():
            self._print_output(CHECK_SECONDS)
            dead = self._find_dead()
            if dead is not None:
                self._print_output(0)
                return dead
        return None

    def stop(self) -> None:
        """End all within STOP_SECONDS and a moment, with whatever they have started."""
        for running in self._running:
            if running.process.poll() is None:
                running.process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        while self._is_any_alive() and time.monotonic() < deadline:
            self._print_output(0.05)
        for running in self._running:
            # Its group may live on without it: a worker's children when the worker was killed.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(running.process.pid, signal.SIGKILL)
            running.process.wait()
        self._print_output(0)
        for running in self._running:
            assert running.process.stdout is not None
            running.process.stdout.close()
        self._running.clear()
        self._selector.close()
        self._selector = selectors.DefaultSelector()

    def _is_any_alive(self) -> bool:
        return any(running.process.poll() is None for running in self._running)

    def _find_dead(self) -> Running | None:
        for running in self._running:
            code = running.process.poll()
            if code is None or running.is_over:
                continue
            if running.program.may_end and code == 0:
                running.is_over = True
                continue
            return running
        return None

    def _print_output(self, wait_seconds: float) -> None:
        if not self._selector.get_map():
            return
        for key, _ in self._selector.select(wait_seconds):
            running: Running = key.data
            chunk = os.read(key.fd, READ_BYTES)
            if not chunk:
                self._selector.unregister(key.fileobj)
                self._print_line(running, running.unfinished_line)
                continue
            *lines, running.unfinished_line = (running.unfinished_line + chunk).split(b"\n")
            for line in lines:
                self._print_line(running, line)

    def _print_line(self, running: Running, line: bytes) -> None:
        text = line.decode(errors="replace").rstrip()
        if text:
            self.show(f"{running.program.name:<{self.name_width}} | {text}")


def stop_on_signals() -> None:
    """From now on, Ctrl-C and SIGTERM raise StopRequested, once; further ones don't disturb the end."""

    def request_stop(number: int, frame: object) -> None:
        ignore_signals()
        raise StopRequested

    for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(sent, request_stop)


def ignore_signals() -> None:
    for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(sent, signal.SIG_IGN)


def how_it_ended(code: int) -> str:
    """For a person: ``exit code 3``, or ``killed by SIGKILL``."""
    if code >= 0:
        return f"exit code {code}"
    return f"killed by {signal.Signals(-code).name}"
