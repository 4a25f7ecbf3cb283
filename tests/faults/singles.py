"""Game servers that post one score a request over many connections, as fast as answers come."""

import asyncio
import contextlib
import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

from leaderboard_site.simulation.http_client import Connection
from leaderboard_site.simulation.http_parsing import encode_request
from tests.faults.http_client import BROKEN
from tests.faults.quiz import Quiz, Score, home_of
from tests.faults.running_site import RunningSite
from tests.faults.waiting import eventually

CONNECTIONS = 64
PLAYERS = 200


def scores_of(quiz: Quiz) -> Iterator[Score]:
    """Without end, each of its own: match after match of all players."""
    number = 0
    while True:
        match, player = divmod(number, PLAYERS)
        yield quiz.score(player, match, home_of(player))
        number += 1


class Singles:
    """What was sent, and the status of each answer; BROKEN where there was none."""

    def __init__(self, site: RunningSite, scores: Iterable[Score]) -> None:
        self.answers: list[tuple[Score, int]] = []
        self._url = f"http://127.0.0.1:{site.port}"
        self._headers = {"Authorization": f"Api-Key {site.key}"}
        self._scores = iter(scores)
        self._is_stopped = False

    async def run(self) -> None:
        await asyncio.gather(*(self._post_on_and_on() for _ in range(CONNECTIONS)))

    def stop(self) -> None:
        self._is_stopped = True

    def with_status(self, status: int) -> list[Score]:
        return [score for score, answered in self.answers if answered == status]

    def await_answers(self, count: int, status: int = 202) -> None:
        """Wait for so many more of this status."""
        wanted = len(self.with_status(status)) + count
        eventually(lambda: len(self.with_status(status)) >= wanted, f"no {count} more answers of status {status}")

    async def _post_on_and_on(self) -> None:
        connection = Connection(self._url)
        while not self._is_stopped and (score := next(self._scores, None)) is not None:
            message = encode_request("POST", "/v1/scores", "localhost", self._headers, json.dumps(score).encode())
            try:
                status = (await connection.request(message)).status
            except OSError:
                status = BROKEN
                # Nobody listens at the moment.
                await asyncio.sleep(0.05)
            self.answers.append((score, status))
        await connection.close()


@contextlib.contextmanager
def posting(site: RunningSite, scores: Iterable[Score]) -> Iterator[Singles]:
    """Posts while the block runs; at its end the answers under way are waited for."""
    singles = Singles(site, scores)
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(lambda: asyncio.run(singles.run()))
        try:
            yield singles
        finally:
            singles.stop()
        running.result()


def post_singles(site: RunningSite, scores: Iterable[Score]) -> Singles:
    """Post them all."""
    singles = Singles(site, scores)
    asyncio.run(singles.run())
    return singles
