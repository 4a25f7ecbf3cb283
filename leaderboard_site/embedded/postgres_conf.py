"""The settings of the embedded PostgreSQL, each with its reason. Rewritten at every start."""

from pathlib import Path

import psutil

MEBIBYTE = 1024 * 1024
CONF_NAME = "leaderboard.conf"

COMMON = {
    "listen_addresses": "''",  # the Unix socket only: no port to collide on, nothing to reach from outside
    "unix_socket_permissions": "0700",
    "max_connections": "120",  # two web processes, four workers, beat and tests, each with its pool
    "timezone": "'UTC'",
    "log_timezone": "'UTC'",
    "log_min_messages": "warning",
    "jit": "off",  # every hot statement takes milliseconds; compiling it takes longer
    "random_page_cost": "1.1",  # no turning disks
    "autovacuum_naptime": "30s",  # totals and outbox change all the time; a minute leaves much to clean, and 15 s cost 1 percent
    "max_wal_size": "4GB",  # at 25,000 events a second, 1 GB of WAL is full within a minute
    "min_wal_size": "512MB",
    "checkpoint_timeout": "15min",  # after each checkpoint every page is written in full once more
    "checkpoint_completion_target": "0.9",
    "wal_buffers": "16MB",
    # A new file of WAL is not filled with zeroes first: every commit would wait for that, once a second under full load.
    "wal_init_zero": "off",
    # Not compressed: this build has only pglz, and on two cores the CPU is scarcer than the disk.
    "wal_compression": "off",
}
DURABLE = {
    "fsync": "on",
    "synchronous_commit": "on",  # a 202 says that the score is on disk
    "full_page_writes": "on",
}
# For tests: a crash of the machine may lose it all, and it is thrown away anyway.
FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
}


def postgres_conf(socket_directory: Path, *, durable: bool) -> str:
    """The text of the file. An eighth of the memory is for shared buffers, 128 MB to 1 GB."""
    eighth = psutil.virtual_memory().total // 8 // MEBIBYTE
    sized = {
        "unix_socket_directories": "'" + str(socket_directory).replace("'", "''") + "'",
        "shared_buffers": f"{max(128, min(1024, eighth)) if durable else 128}MB",
    }
    settings = {**COMMON, **sized, **(DURABLE if durable else FAST)}
    return "".join(f"{name} = {value}\n" for name, value in settings.items())
