"""Load generator: posts batches of scores. `python -m benchmarks.load_posts JOB`, see `benchmarks.jobs`."""

import asyncio
import itertools
import sys
from collections.abc import Iterator

import msgspec

from benchmarks.bodies import Bodies
from benchmarks.jobs import PostJob, PostReport, own_cpu_seconds
from leaderboard_site.simulation.contract import Refused, decode_batch_answer
from leaderboard_site.simulation.http_client import Client, Connection
from leaderboard_site.simulation.measures import Tally, quantile
from leaderboard_site.simulation.persistence import PersistentClient
from leaderboard_site.simulation.players import Population
from leaderboard_site.simulation.standings import read_standing

WATCHED_EVERY = 25
"""One player of every so many batches is watched, two a second at 25,000 events a second: watching costs reads."""

LOOK_EVERY_SECONDS = 0.02
LOOK_EVERY_SHARE = 0.05
PATIENCE_SECONDS = 60.0


class Generator:
    def __init__(self, job: PostJob) -> None:
        self._job = job
        self._people = Population(job.players)
        self._bodies = Bodies(self._people, job.leaderboard, job.batch_size, job.match_prefix)
        self._client = Client(job.url, key=job.key, connections=job.connections)
        self._accepted = 0
        self._post_after: list[float] = []
        self._tally = Tally()
        self._reader = PersistentClient(Client(job.url, connections=4), self._tally, PATIENCE_SECONDS)
        self._watching: list[asyncio.Task[None]] = []

    async def run(self) -> PostReport:
        loop = asyncio.get_running_loop()
        cpu_before, started_at = own_cpu_seconds(), loop.time()
        indexes = itertools.count()
        await asyncio.gather(*(self._post(indexes, started_at) for _ in range(self._job.connections)))
        seconds = loop.time() - started_at
        cpu_seconds = own_cpu_seconds() - cpu_before
        await asyncio.gather(*self._watching)
        return PostReport(
            accepted=self._accepted,
            seconds=seconds,
            cpu_seconds=cpu_seconds,
            post_p50=_ms(self._post_after, 0.5),
            post_p99=_ms(self._post_after, 0.99),
            watched=len(self._watching),
            never_visible=self._tally.never_visible,
            visible_p50=_ms(self._tally.visible_after, 0.5),
            visible_p99=_ms(self._tally.visible_after, 0.99),
        )

    async def _post(self, indexes: Iterator[int], started_at: float) -> None:
        loop, job = asyncio.get_running_loop(), self._job
        connection = Connection(job.url)
        while True:
            index = next(indexes)
            if job.events_a_second:
                due_at = started_at + index * job.batch_size / job.events_a_second
                await asyncio.sleep(due_at - loop.time())
            if loop.time() > started_at + job.seconds:
                break
            await self._post_one(connection, index)
        await connection.close()

    async def _post_one(self, connection: Connection, index: int) -> None:
        loop = asyncio.get_running_loop()
        is_watched = bool(self._job.watched_board) and index % WATCHED_EVERY == 0
        target = self._job.target.partition("?")[0] if is_watched else self._job.target
        message = self._client.encode("POST", target, self._bodies.body(index))
        sent_at = loop.time()
        response = await connection.request(message)
        now = loop.time()
        self._post_after.append(now - sent_at)
        if response.status != 202:
            raise Refused(response)
        if not self._job.watched_board:
            self._accepted += self._job.batch_size
            return
        answer = decode_batch_answer(response.body)
        self._accepted += answer.accepted
        if is_watched:
            batch = self._bodies.batches[index % self._bodies.count]
            # A wrong answer changes nothing that one could see.
            place, player = next((place, player) for place, (player, points) in enumerate(batch) if points)
            total = answer.results[place].totals[self._job.watched_board.split(":")[1]]
            self._watching.append(asyncio.create_task(self._watch(self._people.player_id(player), total, now)))

    async def _watch(self, player_id: str, total: int, told_at: float) -> None:
        loop = asyncio.get_running_loop()
        while (waited := loop.time() - told_at) < PATIENCE_SECONDS:
            standing = await read_standing(self._reader, self._job.watched_board, player_id, total)
            if standing is not None and standing.points >= total:
                self._tally.visible_after.append(loop.time() - told_at)
                return
            await asyncio.sleep(max(LOOK_EVERY_SECONDS, LOOK_EVERY_SHARE * waited))
        self._tally.never_visible += 1


def _ms(seconds: list[float], share: float) -> float:
    return (quantile(seconds, share) or 0.0) * 1000


async def main() -> None:
    report = await Generator(msgspec.json.decode(sys.argv[1], type=PostJob)).run()
    sys.stdout.buffer.write(msgspec.json.encode(report))


if __name__ == "__main__":
    asyncio.run(main())
