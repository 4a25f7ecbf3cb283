"""Server-side statements on Django's own connection.

Django's cursors interpolate parameters on the client. The set-based statements send theirs apart, so that PostgreSQL
keeps the plan, and results come back in binary.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import psycopg
from django.db import connection


def fetch_all(sql: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Run one statement in the current transaction, if there is one. 1 round trip. Raises Django's database errors."""
    connection.ensure_connection()
    # Also tells Django that the connection may be broken, so that it is not used again.
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        return cursor.execute(sql, parameters, binary=True).fetchall()


def array_of_numbers(numbers: Iterable[int]) -> str:
    """The numbers as an array literal: five times cheaper than adapting each element (0.7 against 4 µs an event)."""
    return "{" + ",".join(map(str, numbers)) + "}"


def array_of_ids(ids: Iterable[str]) -> str:
    """Ids as an array literal. For strings whose alphabet was checked before: no quote, no backslash."""
    text = '","'.join(ids)
    return '{"' + text + '"}' if text else "{}"
