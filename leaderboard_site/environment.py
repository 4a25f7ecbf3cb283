"""The configuration: every environment variable, declared once, read once, typed.

README.md shows this list as a table; a test compares the two.
"""

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import get_type_hints

from environs import Env

from leaderboard_site.variables import (
    description_of,
    read_variable,
    variable,
    wrong,
)

PROJECT_DIRECTORY = Path(__file__).resolve().parent.parent
ENV_FILE_VARIABLE = "ENV_FILE"


@dataclass(frozen=True, kw_only=True)
class Environment:
    """The variables, in the order of the README. A field is named like its variable, in lower case."""

    debug: bool = variable(
        False,
        example="true",
        reason="Django's debug pages and plain checks; never where others can reach it",
    )
    secret_key: str = variable(
        "",
        example="a-long-random-text",
        default_in_words="made up by `up`",
        reason="signs admin sessions; required with your own `DATABASE_URL`, unless `DEBUG` is on",
    )
    allowed_hosts: tuple[str, ...] = variable(
        ("localhost", "127.0.0.1", "[::1]"),
        example="scores.example.com,localhost",
        unit="comma-separated",
        reason="host names that the admin answers to",
    )
    csrf_trusted_origins: tuple[str, ...] = variable(
        (),
        example="https://scores.example.com",
        unit="comma-separated",
        reason="origins of the admin behind a proxy that ends TLS",
    )
    log_level: str = variable(
        "INFO",
        example="INFO",
        one_of=("DEBUG", "INFO", "WARNING", "ERROR"),
        reason="how much is logged to stdout",
    )
    data_dir: str = variable(
        ".data",
        example=".data",
        unit="path",
        reason="where the embedded PostgreSQL and Redis keep their data",
    )
    host: str = variable(
        "127.0.0.1", example="127.0.0.1", reason="address that `up` listens on; not the world, unasked"
    )
    port: int = variable(8000, example="8000", least=1, reason="port that `up` listens on")
    web_workers: int = variable(
        0,
        example="2",
        unit="processes",
        default_in_words="half the cores; all, if `FRONT_DOOR` is off",
        least=1,
        reason="web processes; where PostgreSQL and Redis are elsewhere, one per core is a start",
    )
    web_threads: int = variable(
        4,
        example="4",
        unit="threads",
        least=1,
        reason="requests at once in one web process, of those that Django answers",
    )
    web_body_seconds: int = variable(
        30, example="30", unit="seconds", least=1, reason="for all of a request's body; who is slower is answered 408"
    )
    front_door: bool = variable(
        True,
        example="off",
        default_in_words="on",
        reason="the hot calls are answered before Django; off: Django answers all",
    )
    door_flushes: int = variable(
        3,
        example="3",
        unit="transactions",
        least=1,
        reason="single posts of one web process are written together; so many transactions at once, if some are held up, each on a connection beside the pool",
    )
    door_batches: int = variable(
        3,
        example="3",
        unit="transactions",
        least=1,
        reason="batches of one web process are written two at a time, one by one if there is a process for each core; so many at once, if some are held up",
    )
    door_waiting_scores: int = variable(
        5000,
        example="5000",
        unit="scores",
        least=1,
        reason="single posts that may wait in one web process; more are answered 503",
    )
    database_url: str = variable(
        "",
        example="postgresql://user:password@host:5432/leaderboard",
        schemes=("postgresql", "postgres"),
        default_in_words="embedded",
        reason="PostgreSQL, what is true",
    )
    database_pool_min: int = variable(1, example="1", unit="connections", least=0, reason="kept open by each process")
    database_pool_max: int = variable(
        8,
        example="8",
        unit="connections",
        least=1,
        reason="most that one process opens; times the processes must fit max_connections",
    )
    database_pool_timeout_seconds: float = variable(
        2.0,
        example="2",
        unit="seconds",
        least=0.1,
        reason="wait for a free connection, then answer 503: a game server repeats safely",
    )
    database_connect_timeout_seconds: int = variable(
        3, example="3", unit="seconds", least=1, reason="wait for PostgreSQL to accept a connection"
    )
    database_prepare: bool = variable(
        True,
        example="false",
        reason="prepared statements; turn off behind PgBouncer in transaction mode",
    )
    redis_url: str = variable(
        "",
        example="redis://host:6379/0",
        schemes=("redis", "rediss", "unix", "redis+cluster", "rediss+cluster"),
        default_in_words="embedded",
        reason="Redis of the boards, what is fast; a cluster is `redis+cluster://…`",
    )
    redis_replica_url: str = variable(
        "",
        example="redis://replica:6379/0",
        schemes=("redis", "rediss", "unix"),
        default_in_words="none",
        reason="reads go there; may be a little stale",
    )
    redis_timeout_seconds: float = variable(
        2.0,
        example="2",
        unit="seconds",
        least=0.05,
        reason="wait for Redis, then answer 503 with Retry-After",
    )
    celery_broker_url: str = variable(
        "",
        example="redis://host:6379/1",
        schemes=("redis", "rediss", "redis+socket", "sentinel", "amqp", "amqps"),
        default_in_words="`REDIS_URL`, else embedded",
        reason="queue between outbox and workers; apart from the boards, so that one fault is not two",
    )
    outbox_lease_seconds: int = variable(
        15,
        example="15",
        unit="seconds",
        least=1,
        reason="how long a claim of outbox events holds before they are sent again",
    )
    outbox_max_attempts: int = variable(
        10,
        example="10",
        unit="attempts",
        least=1,
        reason="a poisoned outbox event is set aside after so many",
    )
    outbox_kept_seconds: int = variable(
        3600,
        example="3600",
        unit="seconds",
        least=600,
        reason="how long applied outbox events are kept: from them, boards get back what Redis loses in a crash or failover",
    )
    relay_batch_players: int = variable(
        6000,
        example="6000",
        unit="players",
        least=1,
        reason="most that one apply task takes; smaller is fresher, larger is cheaper",
    )
    top_cache_seconds: float = variable(
        1.0,
        example="1",
        unit="seconds",
        least=0,
        reason="the top is the same for everyone: one Redis read serves all for so long",
    )
    public_url: str = variable(
        "",
        example="https://scores.example.com",
        schemes=("https", "http"),
        default_in_words="none",
        reason="where others reach this site: begins the links that webhooks are sent; without it they are paths",
    )
    webhooks_to_private_addresses: bool = variable(
        False,
        example="true",
        reason="webhooks may name hosts of your own network; off, nobody who may set one up reaches inside with it",
    )
    rules_cache_seconds: float = variable(
        1.0,
        example="1",
        unit="seconds",
        least=0,
        reason="how old a process's copy of a leaderboard's rules may be",
    )
    rebuilds_at_once: int = variable(
        2,
        example="2",
        unit="boards",
        least=1,
        reason="rebuilds and verifications side by side; each costs Redis, and the writes of its board are doubled",
    )
    rebuild_claim_seconds: float = variable(
        10.0,
        example="10",
        unit="seconds",
        least=1,
        reason="how long a rebuild is left alone after its worker last said a word; then another takes it up",
    )
    window_kept_seconds: int = variable(
        60,
        example="60",
        unit="seconds",
        least=1,
        reason="how long a custom window stays in Redis after its last use; then it is built anew when asked for",
    )
    windows_at_once: int = variable(
        20,
        example="20",
        unit="boards",
        least=0,
        reason="custom windows there may be at a time; each takes a board's memory, and those of open days cost work with each score",
    )
    window_most_days: int = variable(
        366,
        example="366",
        unit="days",
        least=1,
        reason="the longest custom window",
    )
    verify_at_hour: int = variable(
        3,
        example="3",
        unit="hour, UTC",
        least=0,
        most=23,
        reason="when every board is compared with the totals, once a night",
    )
    snapshot_minutes: int = variable(
        60,
        example="60",
        unit="minutes",
        least=0,
        reason="how often the standings are kept, to restore totals from and for previous ranks; 0: never",
    )
    snapshots_kept: int = variable(
        2,
        example="2",
        unit="snapshots",
        least=1,
        reason="of each leaderboard; about 180 bytes a total, each",
    )

    @property
    def web_processes(self) -> int:
        """How many there are to be: docs/decisions/0033-one-web-process-for-two-cores.md."""
        return self.web_workers or max(_cores() // (2 if self.front_door else 1), 1)

    @property
    def batches_together(self) -> int:
        """How many one web process writes at a time: two in all for two cores, or boards fall behind."""
        return 2 if self.web_processes * 2 <= _cores() else 1

    @property
    def data_directory(self) -> Path:
        """Absolute; a relative ``DATA_DIR`` counts from the project, not from where one stands."""
        return (PROJECT_DIRECTORY / Path(self.data_dir).expanduser()).resolve()


def _cores() -> int:
    """Those that this process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_environment() -> Environment:
    """Read the process environment over ``.env`` over the defaults.

    ``ENV_FILE`` names another file than ``.env`` (tests: none). Raises WrongEnvironment.
    """
    source = Env()
    env_file = Path(os.environ.get(ENV_FILE_VARIABLE, PROJECT_DIRECTORY / ".env"))
    if env_file.is_file():
        source.read_env(str(env_file), recurse=False)
    types = get_type_hints(Environment)
    environment = Environment(
        **{declared.name: read_variable(source, declared, types[declared.name]) for declared in fields(Environment)}
    )
    _check_together(environment)
    return environment


def _check_together(environment: Environment) -> None:
    """Raise for values that are wrong only beside each other."""
    described = {declared.name: description_of(declared) for declared in fields(Environment)}
    if environment.database_url and not environment.secret_key and not environment.debug:
        raise wrong("SECRET_KEY", "must be set when DATABASE_URL is", described["secret_key"])
    if "+cluster" in environment.redis_url and not environment.celery_broker_url:
        raise wrong(
            "CELERY_BROKER_URL",
            "must be set when REDIS_URL is a cluster (Celery can't queue in one)",
            described["celery_broker_url"],
        )
    if environment.database_pool_max < environment.database_pool_min:
        raise wrong(
            "DATABASE_POOL_MAX",
            "must not be below DATABASE_POOL_MIN",
            described["database_pool_max"],
        )
