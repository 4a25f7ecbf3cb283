"""Whether somebody stands still in the database."""

from django.db import connection


def waits_for_a_lock() -> bool:
    """Anybody, for any lock that another holds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
        (waits,) = cursor.fetchone()
    return bool(waits)
