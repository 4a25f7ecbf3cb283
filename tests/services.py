"""PostgreSQL and two Redis for one test session, thrown away at its end."""

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from leaderboard_site.embedded import places
from leaderboard_site.embedded.errors import DataDirectoryInUse
from leaderboard_site.embedded.services import embedded_services, running, sole_use

DIRECTORY_PREFIX = "leaderboard-tests-"
ABANDONED_AFTER_SECONDS = 600


@contextlib.contextmanager
def services_for_tests() -> Iterator[Path]:
    """Start what the environment does not name, and name it there. Yields the data directory."""
    _clear_abandoned()
    directory = Path(tempfile.mkdtemp(prefix=DIRECTORY_PREFIX)).resolve()
    # PostgreSQL does not run as root, and must pass through.
    directory.chmod(0o711)
    given_redis = bool(os.environ.get("REDIS_URL"))
    services = embedded_services(
        directory,
        durable=False,
        database=not os.environ.get("DATABASE_URL"),
        boards=not given_redis,
        broker=not (given_redis or os.environ.get("CELERY_BROKER_URL")),
    )
    try:
        with sole_use(directory), running(services):
            _name_in_environment(directory)
            yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _name_in_environment(directory: Path) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "leaderboard_site.settings"
    os.environ["DATA_DIR"] = str(directory)
    # What a developer keeps in .env must not change what the tests see.
    os.environ["ENV_FILE"] = os.devnull
    os.environ.setdefault("SECRET_KEY", "for-tests-only")
    if not os.environ.get("DATABASE_URL"):
        os.environ["DATABASE_URL"] = places.database_url(directory)
    if not os.environ.get("REDIS_URL"):
        os.environ["REDIS_URL"] = places.boards_url(directory)
        if not os.environ.get("CELERY_BROKER_URL"):
            os.environ["CELERY_BROKER_URL"] = places.broker_url(directory)


def _clear_abandoned() -> None:
    """Delete what sessions left behind that were killed outright."""
    for directory in Path(tempfile.gettempdir()).glob(f"{DIRECTORY_PREFIX}*"):
        with contextlib.suppress(DataDirectoryInUse, OSError):
            age_seconds = time.time() - directory.stat().st_mtime
            if age_seconds > ABANDONED_AFTER_SECONDS:
                with sole_use(directory):
                    shutil.rmtree(directory, ignore_errors=True)
