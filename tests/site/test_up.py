"""`manage.py up` for real: it serves, it stops without a trace, and it starts again after being killed."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from leaderboard_site.environment import PROJECT_DIRECTORY

pytestmark = pytest.mark.slow

STOP_SECONDS = 20
# `up` must not use the services of this test session.
SESSION_VARIABLES = ("DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL", "SECRET_KEY", "DATA_DIR")


class Site:
    """One `up` and what it prints."""

    def __init__(self, directory: Path, port: int) -> None:
        self.port = port
        self.directory = directory
        self.output: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--no-demo", f"--port={port}", f"--data-dir={directory}"],
            cwd=PROJECT_DIRECTORY,
            env={
                **{name: value for name, value in os.environ.items() if name not in SESSION_VARIABLES},
                "WEB_WORKERS": "1",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def await_line(self, start: str) -> str:
        assert self.process.stdout is not None
        line: str
        for line in self.process.stdout:
            self.output.append(line)
            if line.startswith(start):
                return line
        raise AssertionError("".join(self.output))

    def family(self) -> list[psutil.Process]:
        found: list[psutil.Process] = psutil.Process(self.process.pid).children(recursive=True)
        return found

    def read(self, path: str) -> object:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as response:
            return json.load(response)

    def stop(self, sent: signal.Signals) -> int:
        self.process.send_signal(sent)
        self.output += self.process.communicate(timeout=STOP_SECONDS)[0].splitlines(keepends=True)
        return self.process.returncode


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    started = Site(tmp_path / "data", free_port())
    yield started
    if started.process.poll() is None:
        started.process.terminate()
        started.process.communicate(timeout=STOP_SECONDS)
    assert started.process.stdout is not None
    started.process.stdout.close()


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_and_stops_without_a_trace(site: Site, sent: signal.Signals) -> None:
    assert site.await_line("ready") == f"ready http://127.0.0.1:{site.port}\n"
    assert site.read("/readyz") == {
        "status": "ok",
        "parts": {"database": "ok", "redis": "ok", "boards": "ok", "broker": "ok"},
    }
    with urllib.request.urlopen(f"http://127.0.0.1:{site.port}/static/admin/css/base.css", timeout=5) as response:
        assert response.status == 200
    family = site.family()
    assert len(family) > 10
    asked_at = time.monotonic()

    code = site.stop(sent)

    assert time.monotonic() - asked_at < 12
    assert code == 0
    assert site.output[-1] == "stopped\n"
    assert "Traceback" not in "".join(site.output)
    _, alive = psutil.wait_procs(family, 2)
    assert alive == []


def test_one_process_death_ends_all_with_its_name(site: Site) -> None:
    site.await_line("ready")
    family = site.family()
    (beat,) = (process for process in family if "beat" in process.cmdline())
    beat.kill()

    code = site.process.wait(STOP_SECONDS)
    assert site.process.stdout is not None
    last = site.process.stdout.read().splitlines()[-1]

    assert code == 1
    assert last == "beat has died (killed by SIGKILL), so everything was stopped"
    _, alive = psutil.wait_procs(family, 2)
    assert alive == []


def test_it_starts_again_after_being_killed_and_only_once_at_a_time(site: Site) -> None:
    site.await_line("ready")
    second = subprocess.run(
        [sys.executable, "manage.py", "up", f"--port={free_port()}", f"--data-dir={site.directory}"],
        cwd=PROJECT_DIRECTORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode == 1
    assert second.stderr == (
        f"{site.directory} is in use by another `up` (pid {site.process.pid}):"
        " stop that one, or give this one its own --data-dir\n"
    )
    family = site.family()
    site.process.kill()
    site.process.communicate()

    again = Site(site.directory, site.port)
    try:
        again.await_line("ready")
        _, alive = psutil.wait_procs(family, 2)
        assert alive == []
    finally:
        assert again.stop(signal.SIGTERM) == 0


def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        started = subprocess.run(
            [sys.executable, "manage.py", "up", f"--port={port}", f"--data-dir={tmp_path / 'data'}"],
            cwd=PROJECT_DIRECTORY,
            capture_output=True,
            text=True,
            check=False,
        )

    assert started.returncode == 1
    assert started.stderr == (
        f"can't listen on 127.0.0.1, port {port} (Address already in use): choose another with --port or PORT\n"
    )
    assert not (tmp_path / "data").exists()
