"""Start a server as a child process, wait until it answers, stop it."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from leaderboard_site.embedded.errors import ServiceFailed
from leaderboard_site.embedded.ownership import Owner
from leaderboard_site.embedded.parent_death import die_with_parent

POLL_SECONDS = 0.02
LOG_LINES_SHOWN = 8


def start_child(
    command: Sequence[str],
    log: Path,
    owner: Owner | None,
    at_parent_death: signal.Signals,
    more_environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Run `command`, its output appended to `log`, as `owner` (None: as ourselves)."""
    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd="/",
            env={**os.environ, **(more_environment or {})},
            user=None if owner is None else owner.user_id,
            group=None if owner is None else owner.group_id,
            extra_groups=None if owner is None else (),
            preexec_fn=die_with_parent(at_parent_death),  # noqa: PLW1509 - see there
            # Ctrl-C in a terminal goes to us only; we stop the server when its users have stopped.
            start_new_session=True,
        )


def await_answer(
    process: subprocess.Popen[bytes], answers: Callable[[], bool], log: Path, timeout_seconds: float
) -> None:
    """Return once `answers()`. Raises ServiceFailed when the process ends or the time is up."""
    deadline = time.monotonic() + timeout_seconds
    while not answers():
        if _ends_within(process, POLL_SECONDS):
            raise ServiceFailed(f"{_name(process)} ended with {process.returncode}:\n{last_lines(log)}")
        if time.monotonic() > deadline:
            raise ServiceFailed(
                f"{_name(process)} did not answer within {timeout_seconds:g} seconds:\n{last_lines(log)}"
            )


def stop_child(process: subprocess.Popen[bytes], politely: signal.Signals, timeout_seconds: float) -> None:
    """Ask it to end, insist after `timeout_seconds`. Does nothing to one that has ended."""
    if process.poll() is not None:
        return
    process.send_signal(politely)
    if not _ends_within(process, timeout_seconds):
        process.kill()
        process.wait()


def last_lines(log: Path) -> str:
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    return "\n".join(lines[-LOG_LINES_SHOWN:])


def _ends_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _name(process: subprocess.Popen[bytes]) -> str:
    assert isinstance(process.args, list | tuple)
    return Path(str(process.args[0])).name
