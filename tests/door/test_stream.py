"""Redis for an event loop: one pipeline a turn, replies to their callers, and nobody waits for a Redis that is away."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import pytest
import redis

from boards import store
from boards.keys import RECOVERING
from boards.recovering import ALL_BOARDS
from boards.store import BoardsUnavailable, Call
from boards.store.stream import Stream

BOARD = "lb:quiz:all:global"


def status(board: str = BOARD) -> Call:
    return Call("read_status", (board, f"{{{board}}}:lease", RECOVERING), (board, ALL_BOARDS))


def play(steps: Coroutine[Any, Any, Any]) -> Any:
    store.forget_server()
    return asyncio.run(steps)


@contextlib.asynccontextmanager
async def opened() -> AsyncIterator[Stream]:
    stream = Stream()
    try:
        yield stream
    finally:
        await stream.close()


def test_each_gets_his_own_reply_and_all_of_one_turn_go_out_together(boards_redis: redis.Redis) -> None:
    for number in range(1, 50):
        boards_redis.zadd(f"lb:quiz:all:n:{number}", {f"p{n}": n for n in range(number)})
    packets: list[bytes] = []

    async def steps() -> list[Any]:
        async with opened() as stream:
            await stream.run(status())
            assert stream._connection is not None
            transport = stream._connection._transport
            write = transport.write

            def noted(data: Any) -> None:
                packets.append(bytes(data))
                write(data)

            transport.write = noted  # type: ignore[method-assign]
            return await asyncio.gather(*(stream.run(status(f"lb:quiz:all:n:{number}")) for number in range(50)))

    assert play(steps()) == [[number, 0, 0] for number in range(50)]
    assert len(packets) == 1


def test_scripts_that_redis_has_forgotten_are_sent_again(boards_redis: redis.Redis) -> None:
    async def steps() -> list[Any]:
        async with opened() as stream:
            await stream.run(status())
            boards_redis.script_flush()
            return await asyncio.gather(*(stream.run(status()) for _ in range(3)))

    assert play(steps()) == [[0, 0, 0]] * 3


def test_an_error_of_a_script_is_its_callers_own(boards_redis: redis.Redis) -> None:
    boards_redis.set("lb:broken", "not a sorted set")

    async def steps() -> tuple[Any, Any]:
        async with opened() as stream:
            return await asyncio.gather(stream.run(status("lb:broken")), stream.run(status()), return_exceptions=True)

    error, fine = play(steps())
    assert isinstance(error, redis.ResponseError)
    assert fine == [0, 0, 0]


def test_a_connection_that_was_lost_is_made_anew(boards_redis: redis.Redis) -> None:
    async def steps() -> Any:
        async with opened() as stream:
            await stream.run(status())
            connection = stream._connection
            assert connection is not None
            boards_redis.client_kill_filter(_type="normal", skipme=True)
            while not connection.is_lost:
                await asyncio.sleep(0.001)
            return await stream.run(status())

    assert play(steps()) == [0, 0, 0]


@pytest.mark.usefixtures("redis_away")
def test_redis_away_is_an_error_of_the_contract_at_once_and_for_all() -> None:
    async def steps() -> list[Any]:
        async with opened() as stream:
            first = await asyncio.gather(*(stream.run(status()) for _ in range(3)), return_exceptions=True)
            return [*first, *await asyncio.gather(stream.run(status()), return_exceptions=True)]

    errors = play(steps())
    assert [type(error) for error in errors] == [BoardsUnavailable] * 4
    assert errors[0].retry_after_seconds == 1
    # The threads of the process know it too.
    assert not store.circuit().may_try()


def test_a_redis_that_hangs_is_given_up_in_time_and_found_again(settings: Any) -> None:
    settings.REDIS_TIMEOUT_SECONDS = 0.05

    async def steps() -> None:
        async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            # It takes the connection, and says nothing more.
            while data := await reader.read(4096):
                if b"EVALSHA" not in data:
                    writer.write(b"+OK\r\n" * data.count(b"*"))
            writer.close()

        server = await asyncio.start_server(hang, "127.0.0.1", 0)
        settings.REDIS_URL = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"
        store.forget_server()
        async with opened() as stream:
            replies = await asyncio.gather(stream.run(status()), stream.run(status()), return_exceptions=True)
            assert [type(reply) for reply in replies] == [BoardsUnavailable] * 2
            settings.REDIS_URL = os.environ["REDIS_URL"]
            settings.REDIS_TIMEOUT_SECONDS = 2
            store.forget_server()
            assert await stream.run(status()) == [0, 0, 0]
        server.close()
        await server.wait_closed()

    play(steps())
    store.forget_server()
