"""A connection to PostgreSQL that an event loop talks to by itself.

psycopg connects, packs values and reads rows; what lies between is libpq in its pipeline mode: questions are sent in one
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
    """One `ask` or `end` at a time. After an error it can only be closed."""

    def __init__(self, connection: psycopg.AsyncConnection, *, keeps_plans: bool) -> None:
        """`keeps_plans`: whether PostgreSQL is to keep a statement's plan, from its first use on."""
        self._connection = connection
        self._server = connection.pgconn
        self._server.enter_pipeline_mode()
        self._keeps_plans = keeps_plans
        self._names: dict[Kind, bytes] = {}

    async def ask(self, questions: Sequence[Question]) -> list[Rows]:
        """The rows that answer each, in order. 1 round trip. Raises psycopg's errors."""
        transformer: abc.Transformer = adapt.Transformer(self._connection)
        is_answer = [is_one for question in questions for is_one in self._send(question, transformer)]
        self._server.send_flush_request()
        results = await _Results(self._server, len(is_answer)).received()
        return [_rows_of(result, transformer) for result, is_one in zip(results, is_answer, strict=True) if is_one]

    async def end(self, question: Question) -> None:
        """Likewise, for what ends a transaction."""
        self._server.send_query_params(question.sql.encode(), None)
        self._server.pipeline_sync()
        await _Results(self._server, 2).received()

    async def close(self) -> None:
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
            name = self._names[kind] = b"flush_%d" % len(self._names)
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
        """All of them. Raises psycopg's errors, the first that comes."""
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
                    self._results.append(_unless_failed(result))
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


def _unless_failed(result: pq.abc.PGresult) -> pq.abc.PGresult:
    if result.status in FAILED:
        raise errors.error_from_result(result)
    return result


def _rows_of(result: pq.abc.PGresult, transformer: abc.Transformer) -> Rows:
    if result.status != pq.ExecStatus.TUPLES_OK:
        return []
    transformer.set_pgresult(result)
    return transformer.load_rows(0, result.ntuples, tuple)
