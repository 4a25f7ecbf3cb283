"""PostgreSQL (durable) and two Redis of the benchmarks' own, in a directory that goes away afterwards."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import redis
from django.conf import settings

from leaderboard_site.embedded.postgres import EmbeddedPostgres
from leaderboard_site.embedded.services import Service, embedded_services, running, sole_use


@contextlib.contextmanager
def services_for_benchmarks(parent: Path | None) -> Iterator[list[Service]]:
    """Start them and name them in the environment. `parent`: on which disk; None: where temporary files go."""
    directory = Path(tempfile.mkdtemp(prefix="leaderboard-bench-", dir=parent)).resolve()
    # PostgreSQL does not run as root, and must pass through.
    directory.chmod(0o711)
    services = embedded_services(directory, durable=True, database=True, boards=True, broker=True)
    try:
        with sole_use(directory), running(services):
            _name_in_environment(directory)
            yield services
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _name_in_environment(directory: Path) -> None:
    # Never anybody's own services: the benchmarks fill them.
    for name in ("DATABASE_URL", "REDIS_URL", "REDIS_REPLICA_URL", "CELERY_BROKER_URL"):
        os.environ.pop(name, None)
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "leaderboard_site.settings",
        "DATA_DIR": str(directory),
        "ENV_FILE": os.devnull,
        "SECRET_KEY": "for-benchmarks-only",
        "LOG_LEVEL": "WARNING",
    }


def cpu_groups(services: list[Service]) -> dict[str, int]:
    """The root process of each kind of service."""
    groups = {}
    for service in services:
        assert service.process is not None
        name = "postgres" if isinstance(service, EmbeddedPostgres) else service.directory.name
        groups[name] = service.process.pid
    return groups


def redis_client() -> redis.Redis:
    """Of the boards."""
    return redis.Redis.from_url(settings.REDIS_URL)
