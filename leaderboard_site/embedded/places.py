"""Where the embedded services live: functions of the data directory.

Everything speaks over Unix sockets at fixed places below the data directory, so several copies
can't collide on a port, and any ``manage.py`` command finds the services that ``up`` started.
"""

import hashlib
import shutil
import tempfile
from pathlib import Path
from urllib.parse import quote

# sun_path holds 108 bytes with the closing zero on Linux, 104 on macOS.
LONGEST_SOCKET_PATH = 103

POSTGRES_SOCKET_NAME = ".s.PGSQL.5432"
DATABASE_NAME = "leaderboard"
DATABASE_USER = "postgres"

BOARDS = "redis-boards"
BROKER = "redis-broker"


def socket_directory(service_directory: Path, socket_name: str) -> Path:
    """The service's own directory, or, where that is too long for a socket, a short one.

    The short one is derived from the long one, so that the next start finds a leftover.
    """
    if len(str(service_directory / socket_name).encode()) <= LONGEST_SOCKET_PATH:
        return service_directory
    digest = hashlib.sha256(str(service_directory).encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"leaderboard-{digest}"


def remove_short_directory(directory: Path, service_directory: Path) -> None:
    """Take away what `socket_directory` made necessary, once the server is gone."""
    if directory != service_directory:
        shutil.rmtree(directory, ignore_errors=True)


def postgres_directory(data_directory: Path) -> Path:
    return data_directory / "postgres"


def redis_directory(data_directory: Path, name: str) -> Path:
    return data_directory / name


def redis_socket(data_directory: Path, name: str) -> Path:
    return socket_directory(redis_directory(data_directory, name), "redis.sock") / "redis.sock"


def database_url(data_directory: Path) -> str:
    directory = socket_directory(postgres_directory(data_directory), POSTGRES_SOCKET_NAME)
    return f"postgresql://{DATABASE_USER}@/{DATABASE_NAME}?host={quote(str(directory), safe='')}"


def boards_url(data_directory: Path) -> str:
    return f"unix://{quote(str(redis_socket(data_directory, BOARDS)))}"


def broker_url(data_directory: Path) -> str:
    return f"redis+socket://{quote(str(redis_socket(data_directory, BROKER)))}"


def static_directory(data_directory: Path) -> Path:
    return data_directory / "static"


def secret_key_file(data_directory: Path) -> Path:
    return data_directory / "secret_key"


def demo_key_file(data_directory: Path) -> Path:
    return data_directory / "demo_api_key"


def admin_password_file(data_directory: Path) -> Path:
    return data_directory / "admin_password"


def lock_file(data_directory: Path) -> Path:
    return data_directory / "up.lock"
