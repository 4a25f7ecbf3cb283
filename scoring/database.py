"""Server-side statements on Django's own connection.

Django's cursors interpolate parameters on the client. The set-based statements send theirs apart, so that PostgreSQL
keeps the plan, and results come back in binary.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

import psycopg
from django.db import connection

PLACEHOLDER = re.compile(r"%\((\w+)\)s")


class Question(NamedTuple):
    """A statement and its parameters, by name."""

    sql: str
    parameters: Mapping[str, Any]

    def numbered(self) -> tuple[bytes, list[Any]]:
        """As PostgreSQL takes it: the statement with numbers, and their values."""
        text, names = _numbered(self.sql)
        return text, [self.parameters[name] for name in names]


def fetch_all(sql: str, parameters: Mapping[str, Any], *, keep_plan: bool | None = None) -> list[tuple[Any, ...]]:
    """Run one statement in the current transaction, if there is one. 1 round trip. Raises Django's database errors.

    `keep_plan`: whether PostgreSQL is to keep its plan; None: from the sixth time on.
    """
    connection.ensure_connection()
    # Also tells Django that the connection may be broken, so that it is not used again.
    text, values = Question(sql, parameters).numbered()
    with connection.wrap_database_errors, psycopg.RawCursor(connection.connection) as cursor:
        return cursor.execute(text, values, binary=True, prepare=keep_plan).fetchall()


@contextmanager
def pipelined() -> Iterator[None]:
    """Within a transaction: what nobody waits for (its BEGIN, `queue`) goes along with the next `fetch_all`.

    Not for the ORM, which looks at once how many rows it has changed. At the end nothing is under way any more. Raises
    Django's database errors, those of queued statements too.
    """
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


def queue(sql: str, parameters: Mapping[str, Any]) -> None:
    """Run one statement whose result does not matter. Within `pipelined` no round trip: it runs before all that follow."""
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(sql, parameters)


@lru_cache(maxsize=1_000)
def _numbered(sql: str) -> tuple[bytes, list[str]]:
    """The statement as PostgreSQL takes it, and whose values its numbers stand for.

    psycopg does so itself, but remembers no statement of more than 4,096 bytes: that costs 0.1 ms each time.
    """
    names = list(dict.fromkeys(PLACEHOLDER.findall(sql)))
    text = PLACEHOLDER.sub(lambda found: f"${names.index(found[1]) + 1}", sql)
    return text.replace("%%", "%").encode(), names


def array_of_numbers(numbers: Iterable[int]) -> str:
    """The numbers as an array literal: five times cheaper than adapting each element (0.7 against 4 µs an event)."""
    return "{" + ",".join(map(str, numbers)) + "}"


def array_of_ids(ids: Iterable[str]) -> str:
    """Ids as an array literal. For strings whose alphabet was checked before: no quote, no backslash."""
    text = '","'.join(ids)
    return '{"' + text + '"}' if text else "{}"
