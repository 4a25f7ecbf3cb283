"""How much each board is read: counted in the process, kept in PostgreSQL, where an emptied Redis takes nothing along.

Counting is one look-up in a dictionary; now and then each process adds what it has counted to the rows of these boards. A row
is the board's heat: the binary logarithm of its reads, each weighed by 2 to the power of its time in half-lives. So reads
fade without any row being written, counts may be added by several processes in any order, and the order of heats is that of
reads at every moment (forward decay).
"""

import math
from collections.abc import Mapping
from datetime import datetime, timedelta

from boards.models import BoardReads
from boards.sql import statement
from scoring.database import array_of_ids, array_of_numbers, queue

HALF_LIFE = timedelta(hours=1)
"""A read of yesterday weighs a sixteen-millionth of one of now."""

MOST_BOARDS = 5_000
"""Counted between two savings. Who asks for boards that nobody is on fills neither memory nor tables; what is read much is
among the first."""


class ReadCounts:
    """Reads by board id since they were last taken. May lose some when threads meet: they are for an order, not for a bill."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def count(self, board_id: str, reads: int = 1) -> None:
        counts = self._counts
        if board_id in counts:
            counts[board_id] += reads
        elif len(counts) < MOST_BOARDS:
            counts[board_id] = reads

    def take(self) -> Mapping[str, int]:
        """What was counted, and begin anew."""
        taken, self._counts = self._counts, {}
        # A thread may still be adding to the dictionary that it has found.
        return taken.copy()


read_counts = ReadCounts()
"""Of this process."""


def save_counted_reads(now: datetime) -> None:
    """Add what this process has counted to what is kept, and forget boards that are hardly read any more. 2 statements.

    The database's own errors; then the process keeps its counts for the next time.
    """
    counted = read_counts.take()
    age = _half_lives(now)
    try:
        # Less than one read is left: whoever asks for a board once is not remembered for long.
        BoardReads.objects.filter(heat__lt=age).delete()
        if counted:
            reads = array_of_numbers(counted.values())
            queue(statement("add_reads"), {"boards": array_of_ids(counted), "reads": reads, "age": age})
    except Exception:
        for board_id, count in counted.items():
            read_counts.count(board_id, count)
        raise


def load_heats() -> dict[str, float]:
    """The heat of each board that is read; hotter is read more. 1 query."""
    return dict(BoardReads.objects.values_list("board", "heat"))


def reads_a_minute(heat: float, now: datetime) -> float:
    """The pace at which a board of this heat is read: an average in which the last HALF_LIFE makes up a half."""
    minutes = HALF_LIFE / timedelta(minutes=1)
    return 2 ** min(heat - _half_lives(now), 1_000.0) * math.log(2) / minutes


def load_reads_a_minute(now: datetime) -> dict[str, float]:
    """Likewise of all boards of each leaderboard, by its slug. 1 query."""
    paces: dict[str, float] = {}
    for board_id, heat in load_heats().items():
        slug = board_id.partition(":")[0]
        paces[slug] = paces.get(slug, 0.0) + reads_a_minute(heat, now)
    return paces


def _half_lives(now: datetime) -> float:
    return now.timestamp() / HALF_LIFE.total_seconds()
