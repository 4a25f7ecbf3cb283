"""Everything that is stored about anybody, as text: all rows of all tables, and all of Redis."""

from collections.abc import Iterable, Iterator
from typing import Any

import redis
from django.conf import settings
from django.db import connection

_TABLES = """
SELECT quote_ident(table_schema) || '.' || quote_ident(table_name)
FROM information_schema.tables
WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
"""


def traces_of(texts: Iterable[str]) -> list[str]:
    """Each place that holds one of these texts, in whichever case; empty if nothing does."""
    wanted = [text.lower() for text in texts]
    return [place for place in _everything() if any(text in place.lower() for text in wanted)]


def _everything() -> Iterator[str]:
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
        for (table,) in cursor.fetchall():
            cursor.execute(f"SELECT t::text FROM {table} t")
            yield from (f"{table}: {row}" for (row,) in cursor.fetchall())
    for url in {settings.REDIS_URL, settings.CELERY_BROKER_URL.replace("redis+socket://", "unix://", 1)}:
        with redis.Redis.from_url(url, decode_responses=True) as client:
            for key in client.scan_iter(count=1_000):
                yield f"{key!r}: {_held_by(client, key)!r}"


def _held_by(client: redis.Redis, key: str) -> Any:
    kind = client.type(key)
    if kind == "zset":
        return client.zrange(key, 0, -1)
    if kind == "hash":
        return client.hgetall(key)
    if kind == "list":
        return client.lrange(key, 0, -1)
    if kind == "set":
        return client.smembers(key)
    assert kind == "string", f"a key of type {kind!r}: tell here how it is read"
    return client.get(key)
