import asyncio

import pytest

from leaderboard_site.simulation.http_client import Client, ConnectionLost
from tests.simulation.servers import HANG_UP, SAY_NOTHING, answer, prepared_server


def test_one_connection_serves_many_requests() -> None:
    async def play() -> None:
        async with prepared_server(answer(200, b"a"), answer(404, b"b")) as server:
            client = Client(server.url, key="k", connections=1)
            responses = [await client.get("/x"), await client.post("/y", b"{}")]
            assert [(r.status, r.body) for r in responses] == [(200, b"a"), (404, b"b")]
            assert server.connections == 1
            assert b"Authorization: Api-Key k" in server.requests[0]
            await client.close()

    asyncio.run(play())


def test_requests_beyond_the_connections_wait_for_one() -> None:
    async def play() -> None:
        async with prepared_server(*[answer(200)] * 10) as server:
            client = Client(server.url, connections=2)
            responses = await asyncio.gather(*(client.get("/") for _ in range(10)))
            assert [r.status for r in responses] == [200] * 10
            assert server.connections == 2
            await client.close()

    asyncio.run(play())


def test_a_lost_connection_is_an_error_and_the_next_request_connects_again() -> None:
    async def play() -> None:
        async with prepared_server(HANG_UP, answer(200)) as server:
            client = Client(server.url, connections=1)
            with pytest.raises(ConnectionLost):
                await client.get("/")
            assert (await client.get("/")).status == 200
            assert server.connections == 2
            await client.close()

    asyncio.run(play())


def test_a_late_response_is_never_taken_for_the_next_one() -> None:
    async def play() -> None:
        async with prepared_server(SAY_NOTHING, answer(200)) as server:
            client = Client(server.url, connections=1, timeout_seconds=0.05)
            with pytest.raises(TimeoutError):
                await client.get("/")
            client_of_patience = Client(server.url, connections=1)
            assert (await client_of_patience.get("/")).status == 200
            assert server.connections == 2
            await client.close()
            await client_of_patience.close()

    asyncio.run(play())


def test_a_connection_that_the_server_wants_closed_is_not_used_again() -> None:
    async def play() -> None:
        async with prepared_server(answer(200, b"", "Connection: close"), answer(200)) as server:
            client = Client(server.url, connections=1)
            await client.get("/")
            await client.get("/")
            assert server.connections == 2
            await client.close()

    asyncio.run(play())


def test_nobody_listening_is_an_os_error() -> None:
    async def play() -> None:
        with pytest.raises(OSError):  # noqa: PT011 - whatever kind the system chooses
            await Client("http://127.0.0.1:1", connections=1).get("/")

    asyncio.run(play())
