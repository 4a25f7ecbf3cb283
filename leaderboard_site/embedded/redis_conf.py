"""The settings of the two embedded Redis, each with its reason. Rewritten at every start."""

from pathlib import Path

HUGE_PAGES = {
    "MALLOC_CONF": "thp:always,metadata_thp:always",
    "JE_MALLOC_CONF": "thp:always,metadata_thp:always",
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}
"""Environment that makes Redis's allocator, jemalloc or glibc's, ask for huge pages.

Sorted sets of 300,000 are walked all over memory: a tenth less time for each write (measured, with either allocator).
"""


def redis_conf(directory: Path, socket: Path) -> str:
    """The text of the file.

    Nothing is persisted while running, neither for the boards (they can be rebuilt from PostgreSQL,
    and a fork with all its copied pages would be felt by readers) nor for the broker (the outbox
    sends again). A clean stop saves the boards, see `embedded.redis`.
    """
    settings = {
        "port": "0",  # the Unix socket only: no port to collide on
        "unixsocket": _quoted(socket),
        "unixsocketperm": "700",
        "dir": _quoted(directory),
        "daemonize": "no",
        "loglevel": "warning",
        "save": '""',
        "appendonly": "no",
        # A full Redis must refuse a write, which is noticed and repeated, not drop a board.
        "maxmemory-policy": "noeviction",
        # A board of 300,000 takes tens of milliseconds to free; readers must not wait for it.
        "lazyfree-lazy-eviction": "yes",
        "lazyfree-lazy-expire": "yes",
        "lazyfree-lazy-server-del": "yes",
        "lazyfree-lazy-user-del": "yes",
        "lazyfree-lazy-user-flush": "yes",
        # Redis turns huge pages off for the sake of its forks; here it never forks.
        "disable-thp": "no",
    }
    return "".join(f"{name} {value}\n" for name, value in settings.items())


def _quoted(path: Path) -> str:
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
