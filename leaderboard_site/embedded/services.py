"""The three embedded services together, and the lock on their data directory."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from leaderboard_site.embedded import places
from leaderboard_site.embedded.errors import DataDirectoryInUse
from leaderboard_site.embedded.postgres import EmbeddedPostgres
from leaderboard_site.embedded.redis import EmbeddedRedis

Service = EmbeddedPostgres | EmbeddedRedis


def embedded_services(
    data_directory: Path, *, durable: bool, database: bool, boards: bool, broker: bool
) -> list[Service]:
    """The wanted ones, in the order to start them."""
    services: list[Service] = []
    if database:
        services.append(EmbeddedPostgres(data_directory, durable=durable))
    if boards:
        services.append(EmbeddedRedis(data_directory, places.BOARDS, kept=durable))
    if broker:
        # The outbox is the memory of the broker.
        services.append(EmbeddedRedis(data_directory, places.BROKER, kept=False))
    return services


@contextlib.contextmanager
def running(services: list[Service]) -> Iterator[None]:
    """Start all of them in order; stop in reverse, those that were started, whatever happens."""
    with contextlib.ExitStack() as started:
        for service in services:
            started.callback(service.stop)
            service.start()
        yield


@contextlib.contextmanager
def sole_use(data_directory: Path) -> Iterator[None]:
    """Hold the data directory. Raises DataDirectoryInUse at once when somebody else does.

    The kernel lets go of the lock when the holder dies, however it dies.
    """
    data_directory.mkdir(mode=0o755, parents=True, exist_ok=True)
    with places.lock_file(data_directory).open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            raise DataDirectoryInUse(
                f"{data_directory} is in use by another `up` (pid {holder}):"
                " stop that one, or give this one its own --data-dir"
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield
