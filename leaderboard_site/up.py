"""Everything on one machine: embedded services, the site's programs, a demo; one end for all."""

import http.client
import os
import secrets
import signal
import socket
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.core.management import get_commands

from leaderboard_site.embedded import places
from leaderboard_site.embedded.parent_death import die_with_parent
from leaderboard_site.embedded.services import Service, embedded_services, running, sole_use
from leaderboard_site.environment import Environment
from leaderboard_site.leftovers import end_leftovers, remember
from leaderboard_site.programs import manage, site_programs
from leaderboard_site.supervisor import Program, Supervisor, how_it_ended, ignore_signals

READY_SECONDS = 1.0


class CannotStart(Exception):
    """One sentence for the person who typed the command."""


@dataclass(frozen=True)
class Options:
    host: str
    port: int
    data_directory: Path
    has_demo: bool

    @property
    def reachable_host(self) -> str:
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 - compared, not bound

    @property
    def address(self) -> str:
        host = self.reachable_host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"


def run_site(options: Options, environment: Environment, show: Callable[[str], None]) -> int:
    """Run until a signal (StopRequested, raised after all has stopped) or until a program dies.

    Returns the exit code. Raises CannotStart, DataDirectoryInUse or ServiceFailed.
    """
    _check_port(options)
    directory = options.data_directory
    with sole_use(directory):
        end_leftovers(_programs_file(directory))
        if not environment.secret_key:
            read_or_make_secret(places.secret_key_file(directory))
        with running(_services(environment, directory)):
            child_environment = _child_environment(options)
            _prepare(options, child_environment)
            supervisor = Supervisor(child_environment, show)
            try:
                return _run_programs(supervisor, options, environment, show)
            finally:
                # A second Ctrl-C must not leave half of them running.
                ignore_signals()
                supervisor.stop()
                _programs_file(directory).unlink(missing_ok=True)


def read_or_make_secret(file: Path) -> str:
    """The secret kept in `file`, readable by its owner only; made up if there is none."""
    if not file.is_file():
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as created:
            created.write(secrets.token_urlsafe(32) + "\n")
    return file.read_text().strip()


def _run_programs(
    supervisor: Supervisor, options: Options, environment: Environment, show: Callable[[str], None]
) -> int:
    for program in site_programs(environment, options.host, options.port, options.data_directory):
        supervisor.start(program)
    remember(_programs_file(options.data_directory), supervisor.process_ids())
    dead = supervisor.watch(lambda: is_ready(options))
    if dead is None:
        show(f"ready {options.address}")
        if options.has_demo:
            _start_demo(supervisor, options, show)
        dead = supervisor.watch(lambda: False)
    assert dead is not None
    supervisor.stop()
    show(f"{dead.program.name} has died ({how_it_ended(dead.process.returncode)}), so everything was stopped")
    return 1


def is_ready(options: Options) -> bool:
    """Does /readyz answer 200?"""
    connection = http.client.HTTPConnection(options.reachable_host, options.port, timeout=READY_SECONDS)
    try:
        connection.request("GET", "/readyz", headers={"Host": "localhost"})
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _start_demo(supervisor: Supervisor, options: Options, show: Callable[[str], None]) -> None:
    if "simulate_quiz" not in get_commands():
        show("there is no simulate_quiz command, so no demo plays")
        return
    key = places.demo_key_file(options.data_directory)
    command = manage("simulate_quiz", "--demo", f"--url={options.address}", f"--key-file={key}")
    supervisor.start(Program("demo", command, may_end=True))


def _check_port(options: Options) -> None:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((options.host, options.port))
            probe.listen()
        except (OSError, OverflowError) as error:
            raise CannotStart(
                f"can't listen on {options.host}, port {options.port}"
                f" ({getattr(error, 'strerror', None) or error}): choose another with --port or PORT"
            ) from None


def _services(environment: Environment, directory: Path) -> list[Service]:
    return embedded_services(
        directory,
        durable=True,
        database=not environment.database_url,
        boards=not environment.redis_url,
        broker=not (environment.redis_url or environment.celery_broker_url),
    )


def _child_environment(options: Options) -> dict[str, str]:
    return {
        **os.environ,
        "DATA_DIR": str(options.data_directory),
        "DJANGO_SETTINGS_MODULE": "leaderboard_site.settings",
        "PYTHONUNBUFFERED": "1",
        # Celery and DRF warn about running as root and the like; `up` is for one's own machine.
        "PYTHONWARNINGS": "ignore",
    }


def _prepare(options: Options, child_environment: dict[str, str]) -> None:
    """In a process of its own: here, the settings may name another data directory.

    And its connection pool has threads, which must not be around when programs are started.
    """
    command = manage("prepare_site", f"--address={options.address}")
    if not options.has_demo:
        command.append("--no-demo")
    code = subprocess.run(
        command,
        env=child_environment,
        check=False,
        start_new_session=True,
        preexec_fn=die_with_parent(signal.SIGTERM),
    ).returncode
    if code != 0:
        raise CannotStart(f"prepare_site has failed ({how_it_ended(code)})")


def _programs_file(directory: Path) -> Path:
    return directory / "programs.json"
