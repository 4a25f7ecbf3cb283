import asyncio

import pytest

from leaderboard_site.simulation.http_client import Client
from leaderboard_site.simulation.measures import Tally
from leaderboard_site.simulation.persistence import NoAnswer, PersistentClient
from tests.simulation.servers import HANG_UP, answer, prepared_server


@pytest.mark.parametrize(
    "later",
    [answer(503, b"", "Retry-After: 0"), answer(429, b"", "Retry-After: 0"), answer(502), HANG_UP],
    ids=["503", "429", "502", "connection lost"],
)
def test_the_same_request_is_repeated_until_it_is_answered(later: bytes) -> None:
    async def play() -> None:
        async with prepared_server(later, later, answer(202, b"done")) as server:
            client, tally = Client(server.url, connections=1), Tally()
            response = await PersistentClient(client, tally, give_up_seconds=60).post("/v1/scores", b"")
            assert (response.status, response.body) == (202, b"done")
            assert tally.repeated_requests == 2
            assert server.requests[0] == server.requests[2]
            await client.close()

    asyncio.run(play())


def test_an_answer_is_not_questioned() -> None:
    async def play() -> None:
        async with prepared_server(answer(400)) as server:
            client, tally = Client(server.url, connections=1), Tally()
            assert (await PersistentClient(client, tally, give_up_seconds=60).get("/")).status == 400
            assert tally.repeated_requests == 0
            await client.close()

    asyncio.run(play())


def test_a_wait_beyond_our_patience_is_not_begun() -> None:
    async def play() -> None:
        async with prepared_server(answer(503, b"", "Retry-After: 3600")) as server:
            client = Client(server.url, connections=1)
            with pytest.raises(NoAnswer, match="status 503"):
                await PersistentClient(client, Tally(), give_up_seconds=60).get("/")
            await client.close()

    asyncio.run(play())


def test_nobody_listening_ends_in_no_answer() -> None:
    async def play() -> None:
        client = Client("http://127.0.0.1:1", connections=1)
        with pytest.raises(NoAnswer):
            await PersistentClient(client, Tally(), give_up_seconds=0.01).get("/")

    asyncio.run(play())
