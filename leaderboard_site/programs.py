"""The programs that make up the site, as command lines."""

import sys
from pathlib import Path

from leaderboard_site.embedded import places
from leaderboard_site.environment import PROJECT_DIRECTORY, Environment
from leaderboard_site.supervisor import Program

WEB_CONNECTIONS = 10_000
"""Open at once in one web process; an idle one costs a few kilobytes."""

MANAGE = [sys.executable, str(PROJECT_DIRECTORY / "manage.py")]


def site_programs(environment: Environment, host: str, port: int, data_directory: Path) -> list[Program]:
    """Web, one worker per queue so that none waits behind another, and beat."""
    return [
        Program("web", _web(environment, host, port, data_directory)),
        Program("worker-live", _worker("live", environment)),
        Program("worker-corrections", _worker("corrections", environment)),
        Program("worker-rebuilds", _worker("rebuilds", environment)),
        Program("beat", [*_celery("beat"), "--pidfile=", f"--loglevel={environment.log_level}"]),
    ]


def manage(*arguments: str) -> list[str]:
    return [*MANAGE, *arguments]


def _web(environment: Environment, host: str, port: int, data_directory: Path) -> list[str]:
    return [
        sys.executable,
        "-m",
        "granian",
        "--interface=asgi",
        "leaderboard_site.asgi:application",
        f"--host={host}",
        f"--port={port}",
        "--http=1",
        "--no-ws",
        f"--workers={environment.web_processes}",
        # Connections, idle ones too. How many requests are under way is the door's own matter.
        f"--backpressure={WEB_CONNECTIONS}",
        "--backlog=4096",
        "--no-access-log",
        "--log-level=warning",
        "--workers-kill-timeout=4",
        # The admin's files, served without waking Python.
        "--static-path-route=/static",
        f"--static-path-mount={places.static_directory(data_directory)}",
        f"--working-dir={PROJECT_DIRECTORY}",
    ]


def _worker(queue: str, environment: Environment) -> list[str]:
    return [
        *_celery("worker"),
        f"--queues={queue}",
        f"--hostname={queue}@%h",
        # Several for the live queue: while one writes to Redis, another reads from PostgreSQL. With three, 25,000 scores a
        # second were visible within a second on two cores; with two, boards fell behind by four.
        f"--concurrency={3 if queue == 'live' else 1}",
        # Workers need not know of each other; without a broker's chatter, an idle site is idle.
        "--without-gossip",
        "--without-mingle",
        "--without-heartbeat",
        f"--loglevel={environment.log_level}",
    ]


def _celery(command: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "celery",
        "--quiet",
        "--app=leaderboard_site",
        f"--workdir={PROJECT_DIRECTORY}",
        command,
    ]
