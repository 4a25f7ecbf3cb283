"""Load generator: corrects, while others post. `python -m benchmarks.load_corrections JOB`, see `benchmarks.jobs`."""

import asyncio
import itertools
import sys
from typing import Any

import msgspec

from benchmarks.jobs import CorrectJob, CorrectReport
from leaderboard_site.simulation.contract import Refused
from leaderboard_site.simulation.http_client import Client
from leaderboard_site.simulation.measures import quantile
from leaderboard_site.simulation.players import Population

LOOK_EVERY_SECONDS = 0.02
PATIENCE_SECONDS = 60.0


class Generator:
    """Flags players and lifts the flags again, since that can be seen for certain; between them, bonuses and voids."""

    def __init__(self, job: CorrectJob) -> None:
        self._job = job
        self._people = Population(job.players)
        self._client = Client(job.url, key=job.key, connections=8)
        self._accepted_after: list[float] = []
        self._visible_after: list[float] = []
        self._never_visible = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def run(self) -> CorrectReport:
        loop = asyncio.get_running_loop()
        started_at = loop.time()
        for number in itertools.count():
            await asyncio.sleep(started_at + number / self._job.corrections_a_second - loop.time())
            if loop.time() > started_at + self._job.seconds:
                break
            player_id = self._people.player_id(number * 7919 % self._people.count)
            self._tasks.append(asyncio.create_task(self._correct(number, player_id)))
        await asyncio.gather(*self._tasks)
        await self._client.close()
        return CorrectReport(
            corrections=len(self._accepted_after),
            accepted_p99=_ms(self._accepted_after, 0.99),
            visible_p50=_ms(self._visible_after, 0.5),
            visible_p99=_ms(self._visible_after, 0.99),
            never_visible=self._never_visible,
        )

    async def _correct(self, number: int, player_id: str) -> None:
        if number % 3 == 0:
            body = {"leaderboard": self._job.leaderboard, "kind": "adjust", "player_id": player_id, "points": 10}
            await self._post("/v1/corrections", body)
        elif number % 3 == 1:
            body = {"leaderboard": self._job.leaderboard, "kind": "void", "player_id": player_id}
            await self._post("/v1/corrections", {**body, "match_id": self._job.match_id})
        else:
            await self._post(f"/v1/players/{player_id}/flag", {})
            await self._await_status(player_id, 404)
            await self._post(f"/v1/players/{player_id}/unflag", {})
            await self._await_status(player_id, 200)

    async def _post(self, target: str, body: dict[str, Any]) -> None:
        loop = asyncio.get_running_loop()
        sent_at = loop.time()
        response = await self._client.post(target, msgspec.json.encode({**body, "reason": "benchmark"}))
        if response.status != 202:
            raise Refused(response)
        self._accepted_after.append(loop.time() - sent_at)

    async def _await_status(self, player_id: str, status: int) -> None:
        loop = asyncio.get_running_loop()
        told_at = loop.time()
        while loop.time() - told_at < PATIENCE_SECONDS:
            response = await self._client.get(f"/v1/leaderboards/{self._job.board}/players/{player_id}?around=0")
            if response.status == status:
                self._visible_after.append(loop.time() - told_at)
                return
            await asyncio.sleep(LOOK_EVERY_SECONDS)
        self._never_visible += 1


def _ms(seconds: list[float], share: float) -> float:
    return (quantile(seconds, share) or 0.0) * 1000


async def main() -> None:
    report = await Generator(msgspec.json.decode(sys.argv[1], type=CorrectJob)).run()
    sys.stdout.buffer.write(msgspec.json.encode(report))


if __name__ == "__main__":
    asyncio.run(main())
