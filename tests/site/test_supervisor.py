"""The supervisor: one for all, all for one."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from leaderboard_site.leftovers import end_leftovers, remember
from leaderboard_site.supervisor import Program, Supervisor, how_it_ended

pytestmark = pytest.mark.slow

FOREVER = [sys.executable, "-c", "import signal; print('here', flush=True); signal.pause()"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('here', flush=True)\nwhile True: signal.pause()",
]


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def supervisor(lines: list[str]) -> Iterator[Supervisor]:
    created = Supervisor(os.environ, lines.append, name_width=4)
    yield created
    created.stop()


def said(lines: list[str], text: str) -> Callable[[], bool]:
    return lambda: any(text in line for line in lines)


def test_lines_carry_the_programs_name(supervisor: Supervisor, lines: list[str]) -> None:
    supervisor.start(Program("web", FOREVER))

    assert supervisor.watch(said(lines, "here")) is None
    assert lines == ["web  | here"]


def test_the_last_words_are_shown_even_without_a_line_end(supervisor: Supervisor, lines: list[str]) -> None:
    supervisor.start(Program("web", [sys.executable, "-c", "import sys; sys.stderr.write('why'); sys.exit(3)"]))

    dead = supervisor.watch(lambda: False)
    supervisor.stop()

    assert dead is not None
    assert how_it_ended(dead.process.returncode) == "exit code 3"
    assert lines == ["web  | why"]


def test_a_death_is_noticed_and_named(supervisor: Supervisor, lines: list[str]) -> None:
    supervisor.start(Program("web", FOREVER))
    supervisor.start(Program("beat", FOREVER))
    supervisor.watch(lambda: len(lines) == 2)
    os.kill(supervisor.process_ids()[1], signal.SIGKILL)

    dead = supervisor.watch(lambda: False)

    assert dead is not None
    assert dead.program.name == "beat"
    assert how_it_ended(dead.process.returncode) == "killed by SIGKILL"


def test_a_program_that_ends_with_0_unasked_is_a_death_too(supervisor: Supervisor) -> None:
    supervisor.start(Program("web", [sys.executable, "-c", ""]))

    dead = supervisor.watch(lambda: False)

    assert dead is not None
    assert dead.program.name == "web"


def test_one_that_may_end_may_end(supervisor: Supervisor, lines: list[str]) -> None:
    supervisor.start(Program("web", FOREVER))
    supervisor.start(Program("demo", [sys.executable, "-c", ""], may_end=True))
    ended = psutil.Process(supervisor.process_ids()[1])

    assert supervisor.watch(lambda: not ended.is_running() and said(lines, "here")()) is None


def test_one_that_may_end_may_not_fail(supervisor: Supervisor) -> None:
    supervisor.start(Program("demo", [sys.executable, "-c", "raise SystemExit(1)"], may_end=True))

    dead = supervisor.watch(lambda: False)

    assert dead is not None
    assert dead.program.name == "demo"


def test_stopping_ends_the_stubborn_and_the_children_of_children(
    lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard_site.supervisor.STOP_SECONDS", 0.3)
    supervisor = Supervisor(os.environ, lines.append)
    supervisor.start(Program("one", STUBBORN))
    supervisor.start(
        Program(
            "two",
            [
                sys.executable,
                "-c",
                "import os, signal, subprocess, sys\nprint(subprocess.Popen(sys.argv[1:]).pid, flush=True)\nsignal.pause()",
                *FOREVER,
            ],
        )
    )
    supervisor.watch(lambda: len(lines) == 3)
    family = [p for pid in supervisor.process_ids() for p in (psutil.Process(pid), *psutil.Process(pid).children())]
    assert len(family) == 3
    started_at = time.monotonic()

    supervisor.stop()

    _, alive = psutil.wait_procs(family, 5)
    assert alive == []
    assert time.monotonic() - started_at < 5


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_programs_end_when_the_supervisor_is_killed() -> None:
    code = (
        "import os, sys\n"
        "from leaderboard_site.supervisor import Program, Supervisor\n"
        "supervisor = Supervisor(os.environ, print)\n"
        f"supervisor.start(Program('web', {FOREVER!r}))\n"
        "print(*supervisor.process_ids(), flush=True)\n"
        "supervisor.watch(lambda: False)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        program = psutil.Process(int(killed.stdout.readline()))
        killed.kill()

    # No error: it has ended, without anybody's help.
    program.wait(5)


def test_leftovers_are_ended_by_number_and_birth(tmp_path: Path, supervisor: Supervisor, lines: list[str]) -> None:
    supervisor.start(Program("left", FOREVER))
    supervisor.start(Program("none", FOREVER))
    supervisor.watch(lambda: len(lines) == 2)
    left, other = (psutil.Process(process_id) for process_id in supervisor.process_ids())
    file = tmp_path / "programs.json"
    remember(file, [left.pid, other.pid])
    # Another process with the same number was born at another time.
    born = json.loads(file.read_text())
    file.write_text(json.dumps({**born, str(other.pid): born[str(other.pid)] - 100}))

    assert end_leftovers(file) == 1

    assert not left.is_running()
    assert other.is_running()
    assert end_leftovers(file) == 0
