"""A connection to PostgreSQL that an event loop talks to by itself.

psycopg connects, packs values and reads rows; what lies between is libpq in its pipeline mode: a transaction is sent in one
piece, and a callback takes the answers. psycopg's own asynchronous cursors take twice the time
(docs/decisions/0032-flushes-in-the-event-loop.md).
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg import abc, adapt, errors, pq

from scoring.database import Question

Rows = list[tuple[Any, ...]]
Kind = tuple[bytes, tuple[int, ...] | None]

BINARY = pq.Format.BINARY
FAILED = (pq.ExecStatus.FATAL_ERROR, pq.ExecStatus.PIPELINE_ABORTED)


class Session:
    """One transaction at a time."""

    def __init__(self, connection: psycopg.AsyncConnection, *, keeps_plans: bool) -> None:
        """`keeps_plans`: whether PostgreSQL is to keep a statement's plan, from its first use on."""
        self._connection = connection
        self._server = connection.pgconn
        self._server.enter_pipeline_mode()
        self._keeps_plans = keeps_plans
        self._names: dict[Kind, bytes] = {}
        self._names_given = 0
        self.is_usable = True
        """Whether the next transaction may begin; else it can only be closed."""

    async def transact(self, questions: Sequence[Question]) -> list[Rows]:
        """The rows that answer each, in order; all in one transaction, which is committed when this returns. 1 round trip.

        Raises psycopg's errors: nothing was saved, unless the connection was lost after all was sent.
        """
        self.is_usable = False
        transformer: abc.Transformer = adapt.Transformer(self._connection)
        names = dict(self._names)
        is_answer = [is_one for question in questions for is_one in self._send(question, transformer)]
        # Of what comes between two of these PostgreSQL makes a transaction by itself.
        self._server.pipeline_sync()
        results = await _Results(self._server, len(is_answer) + 1).received()
        self.is_usable = True
        for result in results:
            if result.status in FAILED:
                # Whether what was to be prepared is there now, nobody knows.
                self._names = names
                raise errors.error_from_result(result)
        return [_rows_of(result, transformer) for result, is_one in zip(results, is_answer, strict=False) if is_one]

    async def close(self) -> None:
        self.is_usable = False
        await self._connection.close()

    def _send(self, question: Question, transformer: abc.Transformer) -> list[bool]:
        """Of each result that will come whether it answers the question, or says that the plan is kept."""
        text, values = question.numbered()
        parameters = transformer.dump_sequence(values, [adapt.PyFormat.AUTO] * len(values))
        types, formats = transformer.types, transformer.formats
        if not self._keeps_plans:
            self._server.send_query_params(text, parameters, types, formats, BINARY)
            return [True]
        # An empty array is of another type than one of instants.
        kind = text, types
        name = self._names.get(kind)
        is_known = name is not None
        if name is None:
            self._names_given += 1
            name = self._names[kind] = b"flush_%d" % self._names_given
            self._server.send_prepare(name, text, types)
        self._server.send_query_prepared(name, parameters, formats, BINARY)
        return [True] if is_known else [False, True]


class _Results:
    """The results of the commands that are under way, taken as they arrive."""

    def __init__(self, server: pq.abc.PGconn, count: int) -> None:
        self._server = server
        self._count = count
        self._results: list[pq.abc.PGresult] = []
        self._loop = asyncio.get_running_loop()
        self._all: asyncio.Future[None] = self._loop.create_future()

    async def received(self) -> list[pq.abc.PGresult]:
        """All of them, those of failed commands too. Raises psycopg's errors if the connection fails."""
        socket = self._server.socket
        self._loop.add_reader(socket, self._read)
        if self._server.flush():
            self._loop.add_writer(socket, self._write)
        try:
            await self._all
        finally:
            self._loop.remove_reader(socket)
            self._loop.remove_writer(socket)
        return self._results

    def _write(self) -> None:
        try:
            if not self._server.flush():
                self._loop.remove_writer(self._server.socket)
        except Exception as error:
            # Nobody above this callback would hear of it.
            self._end(error)

    def _read(self) -> None:
        try:
            self._server.consume_input()
            while len(self._results) < self._count and not self._server.is_busy():
                # After the results of each command comes None.
                if (result := self._server.get_result()) is not None:
                    self._results.append(result)
        except Exception as error:
            # Nobody above this callback would hear of it.
            self._end(error)
        else:
            if len(self._results) == self._count:
                self._end()

    def _end(self, error: Exception | None = None) -> None:
        if self._all.done():
            return
        if error is None:
            self._all.set_result(None)
        else:
            self._all.set_exception(error)


def _rows_of(result: pq.abc.PGresult, transformer: abc.Transformer) -> Rows:
    if result.status != pq.ExecStatus.TUPLES_OK:
        return []
    transformer.set_pgresult(result)
    return transformer.load_rows(0, result.ntuples, tuple)
