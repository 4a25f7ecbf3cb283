"""A process that starts, stops, kills and pauses the parts of one site, as it is told on stdin.

Apart from the tests, since they have threads and this has none: a child may only ask the kernel to end with its parent
when the parent has a single thread (see `embedded.parent_death`). When the tests are gone, however they ended, stdin ends,
and so does everything here.

A request is one JSON line, `{"do": "kill", "part": "broker"}`; so is its answer, `{"result": …}` or `{"error": "…"}`.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import psutil
import psycopg

from leaderboard_site.embedded import places
from leaderboard_site.embedded.child import last_lines, start_child, stop_child
from leaderboard_site.embedded.postgres import EmbeddedPostgres
from leaderboard_site.embedded.redis import EmbeddedRedis
from leaderboard_site.embedded.services import sole_use
from leaderboard_site.environment import read_environment
from leaderboard_site.programs import manage, site_programs
from leaderboard_site.supervisor import Program

HOST = "127.0.0.1"
STOP_SECONDS = 15.0


class Part(Protocol):
    """A service, or one of the site's programs."""

    process: subprocess.Popen[bytes] | None

    def start(self) -> None: ...

    def stop(self) -> None: ...


class ProgramPart:
    def __init__(self, program: Program, log: Path) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._program = program
        self._log = log

    def start(self) -> None:
        self.process = start_child(self._program.command, self._log, None, signal.SIGKILL)

    def stop(self) -> None:
        if self.process is not None:
            stop_child(self.process, signal.SIGTERM, STOP_SECONDS)
            kill(self)


class Keeper:
    def __init__(self, directory: Path, port: int) -> None:
        self._directory = directory
        self._port = port
        self._services: dict[str, Part] = {
            "database": EmbeddedPostgres(directory, durable=False),
            "boards": EmbeddedRedis(directory, places.BOARDS, kept=True),
            "broker": EmbeddedRedis(directory, places.BROKER, kept=False),
        }
        self._programs: dict[str, Part] = {
            program.name: ProgramPart(program, directory / f"{program.name}.log")
            for program in site_programs(read_environment(), HOST, port, directory)
        }
        self._parts = self._services | self._programs

    def prepare(self) -> None:
        """Start the services and fill the database with what the programs need."""
        for service in self._services.values():
            service.start()
        self._survive_kills()
        log = self._directory / "prepare_site.log"
        with log.open("wb") as output:
            command = manage("prepare_site", f"--address=http://{HOST}:{self._port}", "--no-demo")
            code = subprocess.run(command, stdout=output, stderr=output, check=False).returncode
        if code != 0:
            raise RuntimeError(f"prepare_site ended with {code}:\n{last_lines(log)}")

    def _survive_kills(self) -> None:
        """Have PostgreSQL lose nothing when it is killed, though all when the machine is: fsync takes seconds of a test."""
        with psycopg.connect(places.database_url(self._directory), autocommit=True) as connection:
            for name in ("synchronous_commit", "full_page_writes"):
                connection.execute(f"ALTER SYSTEM SET {name} = on")
            connection.execute("SELECT pg_reload_conf()")

    def start(self, part: str, environment: Mapping[str, str]) -> None:
        started = self._parts[part]
        if started.process is not None and started.process.poll() is None:
            raise RuntimeError(f"{part} is running")
        with with_variables(environment):
            started.start()

    def stop(self, part: str) -> None:
        """Politely."""
        self._parts[part].stop()

    def kill(self, part: str) -> None:
        """SIGKILL to it and to all that it has started. Returns when they are gone."""
        kill(self._parts[part])

    def kill_children(self, part: str) -> int:
        """SIGKILL to what it has started, only. Returns how many those were."""
        return len(end(children(self._parts[part])))

    def pause(self, part: str) -> None:
        self._signal(part, signal.SIGSTOP)

    def resume(self, part: str) -> None:
        self._signal(part, signal.SIGCONT)

    def process_ids(self) -> dict[str, int | None]:
        """Of every part; None for one that has ended."""
        processes = {name: part.process for name, part in self._parts.items()}
        return {
            name: process.pid if process is not None and process.poll() is None else None
            for name, process in processes.items()
        }

    def end_all(self) -> None:
        for part in self._parts:
            self._signal(part, signal.SIGCONT)
        for program in self._programs.values():
            kill(program)
        for service in reversed(self._services.values()):
            service.stop()

    def _signal(self, part: str, sent: signal.Signals) -> None:
        process = self._parts[part].process
        if process is not None and process.poll() is None:
            # The children of PostgreSQL leave its group.
            for member in (psutil.Process(process.pid), *children(self._parts[part])):
                with contextlib.suppress(psutil.NoSuchProcess):
                    member.send_signal(sent)


def children(part: Part) -> list[psutil.Process]:
    if part.process is None or part.process.poll() is not None:
        return []
    found: list[psutil.Process] = psutil.Process(part.process.pid).children(recursive=True)
    return found


def kill(part: Part) -> None:
    if part.process is None:
        return
    family = children(part)
    part.process.kill()
    part.process.wait()
    end(family)


def end(processes: list[psutil.Process]) -> list[psutil.Process]:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, STOP_SECONDS)
    return processes


@contextlib.contextmanager
def with_variables(changed: Mapping[str, str]) -> Iterator[None]:
    former = dict(os.environ)
    os.environ.update(changed)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(former)


def serve(keeper: Keeper) -> None:
    for line in sys.stdin:
        request: dict[str, Any] = json.loads(line)
        action = getattr(keeper, request.pop("do"))
        try:
            answer = {"result": action(**request)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


def main(directory: Path, port: int) -> None:
    with sole_use(directory):
        keeper = Keeper(directory, port)
        try:
            serve(keeper)
        finally:
            keeper.end_all()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
