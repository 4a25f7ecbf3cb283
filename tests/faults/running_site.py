"""The site as separate processes, each of which a test can stop, kill, pause and start again."""

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import load_backend
from django.test import override_settings

from leaderboard_site.database import database_settings
from leaderboard_site.embedded import places
from leaderboard_site.environment import PROJECT_DIRECTORY
from tests.faults.http_client import Answer, HttpClient
from tests.faults.keeper import HOST
from tests.faults.waiting import eventually

PARTS = ("database", "boards", "broker", "web", "worker-live", "worker-corrections", "worker-rebuilds", "beat")
"""In the order to start them."""

PROGRAMS = PARTS[3:]
# Of this test session; the site has services of its own.
SESSION_VARIABLES = ("DATABASE_URL", "REDIS_URL", "REDIS_REPLICA_URL", "CELERY_BROKER_URL")


class RunningSite:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.port = _free_port()
        self.key = ""
        self._keeper = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.keeper", str(directory), str(self.port)],
            cwd=PROJECT_DIRECTORY,
            env=_environment(directory),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            # Ctrl-C is for the tests, which then close stdin.
            start_new_session=True,
        )
        self._tell("prepare")

    def start(self, part: str, **environment: str) -> None:
        """`environment`: more variables for this program."""
        self._tell("start", part=part, environment=environment)

    def start_all(self) -> None:
        for name, process_id in self.process_ids().items():
            if process_id is None and name in PARTS:
                self.start(name)

    def stop(self, part: str) -> None:
        """Politely."""
        self._tell("stop", part=part)

    def kill(self, part: str) -> None:
        """SIGKILL, with all that it has started."""
        self._tell("kill", part=part)

    def kill_children(self, part: str) -> int:
        """SIGKILL to what it has started, only. Returns how many those were."""
        return int(self._tell("kill_children", part=part))

    def restart(self, part: str, **environment: str) -> None:
        self.kill(part)
        self.start(part, **environment)

    def pause(self, part: str) -> None:
        self._tell("pause", part=part)

    def resume(self, part: str) -> None:
        self._tell("resume", part=part)

    def process_ids(self) -> dict[str, int | None]:
        """By part; None for one that has ended or was never started."""
        ids: dict[str, int | None] = self._tell("process_ids")
        return ids

    def heal(self) -> None:
        """Whatever a test did: everything runs, and says that it is well."""
        for part in PARTS:
            self.resume(part)
        self.start_all()
        eventually(lambda: self.readiness().body == ALL_WELL, lambda: f"the site does not get well: {self.readiness()}")

    def client(self) -> contextlib.closing[HttpClient]:
        return contextlib.closing(HttpClient(HOST, self.port, self.key))

    def get(self, path: str) -> Answer:
        with self.client() as client:
            return client.get(path)

    def post(self, path: str, body: Any) -> Answer:
        with self.client() as client:
            return client.post(path, body)

    def readiness(self) -> Answer:
        return self.get("/readyz")

    @contextlib.contextmanager
    def as_default(self) -> Iterator[None]:
        """In this thread, Django's models are rows of the site, and settings.REDIS_URL names its boards."""
        here = connections["default"]
        connections["default"] = there = self._database()
        try:
            with override_settings(REDIS_URL=places.boards_url(self.directory)):
                yield
        finally:
            there.close()
            connections["default"] = here

    def redis(self, name: str) -> redis.Redis:
        """A raw client of `places.BOARDS` or `places.BROKER`."""
        return redis.Redis(unix_socket_path=str(places.redis_socket(self.directory, name)), decode_responses=True)

    def last_words(self, lines: int = 30) -> Iterator[tuple[str, str]]:
        """The end of each log, with its name."""
        for log in sorted([*self.directory.glob("*.log"), *self.directory.glob("*/*.log")]):
            yield log.name, "\n".join(log.read_text(errors="replace").splitlines()[-lines:])

    def close(self) -> None:
        """End everything."""
        assert self._keeper.stdin is not None
        assert self._keeper.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._keeper.stdin.close()
        self._keeper.wait(60)
        self._keeper.stdout.close()

    def _tell(self, action: str, **details: Any) -> Any:
        assert self._keeper.stdin is not None
        assert self._keeper.stdout is not None
        self._keeper.stdin.write(json.dumps({"do": action, **details}) + "\n")
        self._keeper.stdin.flush()
        line = self._keeper.stdout.readline()
        if not line:
            raise RuntimeError(f"the keeper of the site has ended: {self._keeper.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(f"{action} {details}: {answer['error']}")
        return answer["result"]

    def _database(self) -> BaseDatabaseWrapper:
        own = database_settings(places.database_url(self.directory), settings.ENVIRONMENT)
        # The pool would be shared with the session's database, which has the same alias.
        del own["OPTIONS"]["pool"]
        wrapper: BaseDatabaseWrapper = load_backend(own["ENGINE"]).DatabaseWrapper(
            {**connections.databases["default"], **own}, "default"
        )
        return wrapper


ALL_WELL = {"status": "ok", "parts": {"database": "ok", "redis": "ok", "boards": "ok", "broker": "ok"}}


def _environment(directory: Path) -> dict[str, str]:
    return {
        **{name: value for name, value in os.environ.items() if name not in SESSION_VARIABLES},
        "DATA_DIR": str(directory),
        "DJANGO_SETTINGS_MODULE": "leaderboard_site.settings",
        "ENV_FILE": os.devnull,
        "SECRET_KEY": "for-tests-only",
        "WEB_WORKERS": "1",
        "OUTBOX_LEASE_SECONDS": "3",
        "DATABASE_POOL_TIMEOUT_SECONDS": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": "ignore",
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
