"""Load generator: reads boards. `python -m benchmarks.load_reads JOB`, see `benchmarks.jobs`."""

import asyncio
import itertools
import random
import sys
from collections.abc import Iterator

import msgspec

from benchmarks.jobs import ReadJob, ReadReport, own_cpu_seconds
from leaderboard_site.simulation.contract import Refused
from leaderboard_site.simulation.http_client import Connection
from leaderboard_site.simulation.http_parsing import encode_request
from leaderboard_site.simulation.measures import quantile
from leaderboard_site.simulation.players import Population

MESSAGES = 2_000
"""Requests are encoded before the clock starts; players among them are random."""

MESSAGES_WITH_BODY = 100


class Generator:
    def __init__(self, job: ReadJob) -> None:
        self._job = job
        self._rng = random.Random(0)  # noqa: S311 - the same players in every run
        self._people = Population(job.players)
        count = MESSAGES_WITH_BODY if job.players_in_body else MESSAGES
        self._messages = [self._message() for _ in range(count)]
        self._read_after: list[float] = []
        self._body_bytes = 0

    async def run(self) -> ReadReport:
        loop = asyncio.get_running_loop()
        cpu_before, started_at = own_cpu_seconds(), loop.time()
        turns = itertools.count()
        await asyncio.gather(*(self._read(place, turns, started_at) for place in range(self._job.connections)))
        seconds = loop.time() - started_at
        requests = len(self._read_after)
        return ReadReport(
            requests=requests,
            seconds=seconds,
            cpu_seconds=own_cpu_seconds() - cpu_before,
            p50=(quantile(self._read_after, 0.5) or 0.0) * 1000,
            p99=(quantile(self._read_after, 0.99) or 0.0) * 1000,
            body_bytes=self._body_bytes / max(requests, 1),
        )

    async def _read(self, place: int, turns: Iterator[int], started_at: float) -> None:
        loop, pace = asyncio.get_running_loop(), self._job.requests_a_second
        connection = Connection(self._job.url)
        while loop.time() < started_at + self._job.seconds:
            if pace:
                await asyncio.sleep(started_at + next(turns) / pace - loop.time())
            sent_at = loop.time()
            place = (place + 1) % len(self._messages)
            response = await connection.request(self._messages[place])
            self._read_after.append(loop.time() - sent_at)
            if response.status != 200:
                raise Refused(response)
            self._body_bytes += len(response.body)
        await connection.close()

    def _message(self) -> bytes:
        job = self._job
        headers = {"Authorization": f"Api-Key {job.key}"} if job.key else {}
        body = b""
        if job.players_in_body:
            body = msgspec.json.encode({"player_ids": [self._player() for _ in range(job.players_in_body)]})
        target = job.target.replace("<player>", self._player())
        return encode_request(job.method, target, job.url.rpartition("/")[2], headers, body)

    def _player(self) -> str:
        return self._people.player_id(self._rng.randrange(self._people.count))


async def main() -> None:
    report = await Generator(msgspec.json.decode(sys.argv[1], type=ReadJob)).run()
    sys.stdout.buffer.write(msgspec.json.encode(report))


if __name__ == "__main__":
    asyncio.run(main())
