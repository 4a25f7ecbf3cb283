"""Build .venv with everything pinned in requirements/dev.txt. Standard library only.

Does nothing when that is done already. Several at once take turns, so that `make run` and
`make test` may start side by side in a fresh clone.
"""

import fcntl
import hashlib
import subprocess
import sys
import venv
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
ENVIRONMENT = PROJECT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
STAMP = ENVIRONMENT / "installed"
LOCK = PROJECT / ".setup.lock"
PINS = PROJECT / "requirements" / "dev.txt"


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - this file runs before anything has checked it
        print(
            f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}: try `make PYTHON=python3.12`",
            file=sys.stderr,
        )
        return 1
    wanted = wanted_stamp()
    if is_installed(wanted):
        return 0
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Somebody else may have done it while we waited.
        if is_installed(wanted):
            return 0
        return install(wanted)


def wanted_stamp() -> str:
    """What .venv depends on: the pins, the Python, and its own place (scripts name it)."""
    parts = [PINS.read_text(), sys.version, str(ENVIRONMENT)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def is_installed(wanted: str) -> bool:
    return STAMP.is_file() and STAMP.read_text() == wanted


def install(wanted: str) -> int:
    print(f"setting up {ENVIRONMENT} (once; a minute or so)", flush=True)
    # One of another Python or from another place is not repaired but replaced.
    venv.create(ENVIRONMENT, with_pip=True, clear=STAMP.exists() or not PYTHON.exists())
    code = subprocess.run(
        [
            str(PYTHON),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-input",
            "--require-hashes",
            "--only-binary=:all:",
            "--requirement",
            str(PINS),
        ],
        check=False,
    ).returncode
    if code == 0:
        STAMP.write_text(wanted)
    return code


if __name__ == "__main__":
    sys.exit(main())
