"""DESIGN's invariant 5, taken apart into steps that a test may run in any order against the real script.

A row is saved by commits, in order. Each commit has a worker, who first reads the row as it is by then, and later writes what
was read. A rebuild marks the board, reads a row, loads it into staging, and swaps.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

import redis

from boards import staging, store
from boards.staging import StagedRow, StagedRows
from boards.writes import PeriodBoards, ShownPlayer
from scoring.periods import ALL_TIME
from scoring.totals import PeriodInfo
from tests.boards.bare_boards import BOARD, KEYS, NOW, RULES, pack, unpack_points

PERIOD = PeriodInfo("quiz", ALL_TIME.label, 0)
LIVE, STAGING, _, LEASE = KEYS[:4]

Operation = Literal["raise", "penalty", "flag", "unflag"]
LOWERING = frozenset({"penalty", "flag", "unflag"})

TOKEN = "rebuild"


class Row(NamedTuple):
    points: int = 100
    epoch: int = 0
    flagged: bool = False

    def after(self, operation: Operation) -> "Row":
        if operation == "raise":
            return self._replace(points=self.points + 10)
        if operation == "penalty":
            return self._replace(points=self.points - 30, epoch=self.epoch + 1)
        return self._replace(flagged=operation == "flag", epoch=self.epoch + 1)

    @property
    def packed(self) -> str:
        return "" if self.flagged else str(pack(self.points, 0))


Write = Callable[[redis.Redis, Row, Operation | None], None]


def by_epoch(client: redis.Redis, row: Row, operation: Operation | None) -> None:
    """What apply does with a row, whoever brings it."""
    boards = PeriodBoards(RULES, PERIOD, NOW)
    boards.show(ShownPlayer("ann", "{}", (), row.flagged), row.points, 0, row.epoch, None)
    store.run(boards.calls())


def naive(client: redis.Redis, row: Row, operation: Operation | None) -> None:
    """The tempting rule: raises only upwards, corrections as they are."""
    for key in (LIVE, STAGING) if client.exists(LEASE) else (LIVE,):
        if row.flagged:
            client.zrem(key, "ann")
        else:
            client.zadd(key, {"ann": float(row.packed)}, gt=operation not in LOWERING)


class History:
    """One run. `steps` names what may happen next; `take` lets it happen."""

    def __init__(
        self, client: redis.Redis, operations: list[Operation], start: Row, rebuild: bool, write: Write
    ) -> None:
        client.flushdb()
        self._client = client
        self._write = write
        self._waiting = list(operations)
        self._row = start
        self._workers: dict[str, tuple[Operation, Row | None]] = {}
        self._rebuild = ["mark", "read", "load", "swap"] if rebuild else []
        self._loaded = start
        by_epoch(client, start, None)

    def steps(self) -> list[str]:
        commit = ["commit"] if self._waiting else []
        rebuild = [f"rebuild {self._rebuild[0]}"] if self._rebuild else []
        return commit + sorted(self._workers) + rebuild

    def take(self, step: str) -> None:
        if step == "commit":
            operation = self._waiting.pop(0)
            self._row = self._row.after(operation)
            self._workers[f"worker of {operation} {len(self._waiting)}"] = (operation, None)
        elif step in self._workers:
            operation, read = self._workers.pop(step)
            if read is None:
                self._workers[step] = (operation, self._row)
            else:
                self._write(self._client, read, operation)
        else:
            self._take_rebuild_step(self._rebuild.pop(0))

    def _take_rebuild_step(self, step: str) -> None:
        if step == "mark":
            assert staging.mark(BOARD.id, TOKEN)
        elif step == "read":
            self._loaded = self._row
        elif step == "load":
            # Rows of flagged players are not loaded.
            rows = [] if self._loaded.flagged else [StagedRow("ann", self._loaded.epoch, self._loaded.packed, None)]
            assert staging.load(BOARD.id, TOKEN, [StagedRows.of(rows)])
        else:
            assert staging.swap(BOARD.id, TOKEN, 0)

    def shown(self) -> int | None:
        packed = self._client.zscore(LIVE, "ann")
        return None if packed is None else unpack_points(str(packed))

    def true(self) -> int | None:
        return None if self._row.flagged else self._row.points
