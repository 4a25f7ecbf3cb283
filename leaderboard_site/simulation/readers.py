"""Players' apps: a few look at once whether their new points have appeared, all read their rank after the question."""

import asyncio
import random

from leaderboard_site.simulation.game_server import Told
from leaderboard_site.simulation.measures import Tally
from leaderboard_site.simulation.persistence import PersistentClient
from leaderboard_site.simulation.players import Population
from leaderboard_site.simulation.standings import NightBoard, read_standing

JITTER_SECONDS = 2.0
"""Apps read at a random moment within so long, so that not all come at once (DESIGN.md, "Live")."""

LOOK_EVERY_SECONDS = 0.01
LOOK_EVERY_SHARE = 0.05
"""Of the time already waited, if that is longer: who watches a slow board must not make it slower."""

PATIENCE_SECONDS = 30.0
ASK_AGAIN_SECONDS = 1.0


class Readers:
    """All apps of a night; `tell` is called with what game servers learn."""

    def __init__(
        self, client: PersistentClient, board: NightBoard, people: Population, tally: Tally, rng: random.Random
    ) -> None:
        self._client = client
        self._board = board
        self._people = people
        self._tally = tally
        self._rng = rng
        self._told: list[Told] = []
        self._watching: set[asyncio.Task[None]] = set()

    def tell(self, told: Told) -> None:
        """Take note of a total, and perhaps start to look for it on the board."""
        self._told.append(told)
        if told.looks_at_once:
            self._watching.add(asyncio.create_task(self._watch(told)))

    async def read_ranks(self) -> None:
        """After a question: every player told of a total reads the rank once, and again while it is updating."""
        told, self._told = self._told, []
        watching, self._watching = self._watching, set()
        started_at = asyncio.get_running_loop().time()
        async with asyncio.TaskGroup() as reading:
            for one in told:
                reading.create_task(self._read(one))
        if told:
            self._tally.reading_seconds += asyncio.get_running_loop().time() - started_at
        await asyncio.gather(*watching)

    async def _read(self, told: Told) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self._rng.uniform(0, JITTER_SECONDS))
        for _ in range(round(PATIENCE_SECONDS / ASK_AGAIN_SECONDS)):
            started_at = loop.time()
            standing = await read_standing(
                self._client, self._board.id, self._people.player_id(told.player), told.total
            )
            self._tally.read_after.append(loop.time() - started_at)
            if standing is not None and not standing.updating:
                return
            await asyncio.sleep(ASK_AGAIN_SECONDS)

    async def _watch(self, told: Told) -> None:
        loop = asyncio.get_running_loop()
        player_id = self._people.player_id(told.player)
        while loop.time() < told.at + PATIENCE_SECONDS:
            standing = await read_standing(self._client, self._board.id, player_id, told.total)
            if standing is not None and standing.points >= told.total:
                self._tally.visible_after.append(loop.time() - told.at)
                return
            await asyncio.sleep(max(LOOK_EVERY_SECONDS, LOOK_EVERY_SHARE * (loop.time() - told.at)))
        self._tally.never_visible += 1
