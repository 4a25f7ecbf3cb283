"""Who stands still in the database."""

from django.db import connection


def waiting_for_a_lock() -> int:
    """How many transactions can't go on, for any lock that another holds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        (count,) = cursor.fetchone()
    return int(count)
