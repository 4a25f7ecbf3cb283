"""Who may write a leaderboard's ledger at the same time.

Scores go in side by side: what they do to totals is commutative, or its players are locked. A void is neither: it reads what
remains in the ledger, and an event that is being accepted at that moment is invisible to it. So intake shares the ledger,
and what takes events out of it holds it alone. Taken before everything else in a transaction, in a statement of its own:
a statement that waited for the lock would go on with what it saw before.
"""

from collections.abc import Iterable

from scoring.database import queue

LEDGER = 0x1EDB
"""The class of these advisory locks; the other half of their key is the leaderboard."""


def share_ledgers(leaderboard_ids: Iterable[int]) -> None:
    """Until the transaction ends, nobody holds these ledgers alone. 1 round trip each, none within `pipelined`."""
    for leaderboard_id in sorted(leaderboard_ids):
        _lock("pg_advisory_xact_lock_shared", leaderboard_id)


def hold_ledgers(leaderboard_ids: Iterable[int]) -> None:
    """Until the transaction ends, nobody else writes these ledgers. Waits for those who do, and makes others wait.

    1 round trip each.
    """
    for leaderboard_id in sorted(leaderboard_ids):
        _lock("pg_advisory_xact_lock", leaderboard_id)


def _lock(function: str, leaderboard_id: int) -> None:
    queue(
        f"SELECT true FROM {function}(%(ledger)s::int, %(leaderboard_id)s::int)",  # noqa: S608 - names of two functions
        {"ledger": LEDGER, "leaderboard_id": leaderboard_id},
    )
