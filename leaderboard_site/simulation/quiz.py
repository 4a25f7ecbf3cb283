"""A quiz night: everyone who takes part, question after question."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass

from leaderboard_site.simulation.game_server import GameServer
from leaderboard_site.simulation.http_client import Client
from leaderboard_site.simulation.measures import Tally
from leaderboard_site.simulation.night import plan_question
from leaderboard_site.simulation.persistence import PersistentClient
from leaderboard_site.simulation.players import Population
from leaderboard_site.simulation.readers import Readers
from leaderboard_site.simulation.standings import NightBoard, find_night_board

CONNECTIONS_OF_A_SERVER = 2
CONNECTIONS_OF_READERS = 32
READY_TIMEOUT_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class Quiz:
    """What is played, and against which server. Game servers and apps give up after `give_up_seconds` without answer."""

    url: str
    key: str
    leaderboard: str
    people: Population
    questions: int
    seconds: float
    servers: int
    batch_size: int
    readers: int
    seed: int
    give_up_seconds: float


class Night:
    """One night's players, servers and apps. `match_prefix` must be new: it makes the match ids."""

    def __init__(
        self, quiz: Quiz, match_prefix: str, board: NightBoard, servers: list[GameServer], readers: Readers
    ) -> None:
        self._quiz = quiz
        self._match_prefix = match_prefix
        self.board = board
        self._servers = servers
        self._readers = readers
        self._rng = random.Random(f"{quiz.seed} {match_prefix}")  # noqa: S311 - a game, not a secret

    async def play_question(self, number: int) -> None:
        """Send all answers to question `number` (from 1), then let the apps read. Raises Refused, NoAnswer in a group."""
        quiz = self._quiz
        question = plan_question(
            number,
            players=quiz.people.count,
            seconds=quiz.seconds,
            servers=quiz.servers,
            batch_size=quiz.batch_size,
            readers=quiz.readers,
            rng=self._rng,
        )
        match_id = f"{self._match_prefix}-q{number:02d}"
        shown_at = asyncio.get_running_loop().time()
        async with asyncio.TaskGroup() as playing:
            for server, batches in zip(self._servers, question.batches, strict=True):
                playing.create_task(
                    server.play(batches, match_id, shown_at, introduce=number == 1, tell=self._readers.tell)
                )
        await self._readers.read_ranks()


@contextlib.asynccontextmanager
async def open_night(quiz: Quiz, match_prefix: str, tally: Tally) -> AsyncIterator[Night]:
    """Connect everyone. Raises Refused if there is no such leaderboard, NoAnswer."""
    async with contextlib.AsyncExitStack() as leaving:

        def connect(connections: int) -> PersistentClient:
            client = Client(quiz.url, key=quiz.key, connections=connections)
            leaving.push_async_callback(client.close)
            return PersistentClient(client, tally, quiz.give_up_seconds)

        apps = connect(CONNECTIONS_OF_READERS)
        board = await find_night_board(apps, quiz.leaderboard)
        servers = [
            GameServer(connect(CONNECTIONS_OF_A_SERVER), quiz.leaderboard, quiz.people, board.period, tally)
            for _ in range(quiz.servers)
        ]
        readers_rng = random.Random(f"{quiz.seed} readers")  # noqa: S311 - a game, not a secret
        yield Night(quiz, match_prefix, board, servers, Readers(apps, board, quiz.people, tally, readers_rng))


async def await_ready(quiz: Quiz) -> None:
    """Return once /readyz says 200. Raises NoAnswer after `give_up_seconds`."""
    client = Client(quiz.url, connections=1, timeout_seconds=READY_TIMEOUT_SECONDS)
    try:
        await PersistentClient(client, Tally(), quiz.give_up_seconds).get("/readyz")
    finally:
        await client.close()
