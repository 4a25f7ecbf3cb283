"""From a PostgreSQL URL to Django's database settings."""

from typing import Any

# Django imports the pool with the first connection. Two threads that connect at once, as beat's do, would meet half of it.
import psycopg_pool  # noqa: F401
from psycopg.conninfo import conninfo_to_dict

from leaderboard_site.environment import Environment


def database_settings(url: str, environment: Environment) -> dict[str, Any]:
    """Django's settings of one PostgreSQL; `url` is whatever libpq understands.

    Raises psycopg.ProgrammingError for a URL that libpq refuses.
    """
    parts = conninfo_to_dict(url)
    named = {key: str(parts.pop(key, "") or "") for key in ("dbname", "user", "password", "host", "port")}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": named["dbname"],
        "USER": named["user"],
        "PASSWORD": named["password"],
        "HOST": named["host"],
        "PORT": named["port"],
        "ATOMIC_REQUESTS": False,
        # The pool keeps the connections; Django must hand each one back after a request.
        "CONN_MAX_AGE": 0,
        # A round trip for whoever takes a connection. One that has died unused, as all do when PostgreSQL is restarted, would fail
        # a task, whose events then wait until their lease runs out.
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": not environment.database_prepare,
        "OPTIONS": {
            "connect_timeout": environment.database_connect_timeout_seconds,
            # psycopg prepares a statement at its fifth use; None never does, as PgBouncer needs.
            "prepare_threshold": 5 if environment.database_prepare else None,
            "pool": {
                "min_size": environment.database_pool_min,
                "max_size": environment.database_pool_max,
                "timeout": environment.database_pool_timeout_seconds,
            },
            **parts,
        },
    }
