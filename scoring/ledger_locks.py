"""Who may write a leaderboard's ledger at the same time.

Scores go in side by side: what they do to totals is commutative, or its players are locked. A void is neither: it reads what
remains in the ledger, and an event that is being accepted at that moment is invisible to it. So intake shares the ledger,
and what takes events out of it holds it alone. Taken before everything else in a transaction, in a statement of its own:
a statement that waited for the lock would go on with what it saw before.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from scoring.database import Question, queue

LEDGER = 0x1EDB
"""The class of these advisory locks; the other half of their key is the leaderboard."""


def share_ledgers(leaderboard_ids: Iterable[int]) -> None:
    """Until the transaction ends, nobody holds these ledgers alone. 1 round trip each, none within `pipelined`."""
    for leaderboard_id in sorted(leaderboard_ids):
        _lock("pg_advisory_xact_lock_shared", leaderboard_id)


def share_question(leaderboard_id: int) -> Question:
    """The same as a statement, for who runs his own."""
    return Question(_sql("pg_advisory_xact_lock_shared"), _key(leaderboard_id))


def hold_ledgers(leaderboard_ids: Iterable[int]) -> None:
    """Until the transaction ends, nobody else writes these ledgers. Waits for those who do, and makes others wait.

    1 round trip each.
    """
    for leaderboard_id in sorted(leaderboard_ids):
        _lock("pg_advisory_xact_lock", leaderboard_id)


class LedgerBusy(Exception):
    """A transaction that writes the ledger does not end."""


@contextmanager
def ledger_held(leaderboard_id: int, wait_ms: int) -> Iterator[None]:
    """Hold the ledger for the time of the block, in a transaction. LedgerBusy after `wait_ms`: scores that come wait too."""
    with _waiting(leaderboard_id), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = {int(wait_ms)}")
        hold_ledgers([leaderboard_id])
        yield


@contextmanager
def ledger_held_apart(leaderboard_id: int, wait_ms: int) -> Iterator[None]:
    """Hold the ledger for the time of the block, in a transaction on a connection of its own. LedgerBusy after `wait_ms`.

    So the caller's transaction can begin while it is held, and go on when it is not. Should this process die, both end.
    """
    holder = connection.copy()
    try:
        with _waiting(leaderboard_id), holder.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute(f"SET LOCAL lock_timeout = {int(wait_ms)}")
            cursor.execute(_sql("pg_advisory_xact_lock"), _key(leaderboard_id))
        yield
    finally:
        if holder.connection is not None:
            # At once: the pool, which would do the same, takes its time.
            holder.rollback()
        holder.close()


@contextmanager
def _waiting(leaderboard_id: int) -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        if not isinstance(error.__cause__, LockNotAvailable):
            raise
        raise LedgerBusy(
            f"a transaction that writes the ledger of leaderboard {leaderboard_id} does not end"
        ) from error


def _lock(function: str, leaderboard_id: int) -> None:
    queue(_sql(function), _key(leaderboard_id))


def _sql(function: str) -> str:
    return f"SELECT true FROM {function}(%(ledger)s::int, %(leaderboard_id)s::int)"  # noqa: S608 - names of two functions


def _key(leaderboard_id: int) -> dict[str, int]:
    return {"ledger": LEDGER, "leaderboard_id": leaderboard_id}
