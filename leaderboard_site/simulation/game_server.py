"""A game server: sends the answers of its players in batches, and passes the totals on to those who are watched."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from leaderboard_site.simulation.contract import (
    BatchAnswer,
    Refused,
    Score,
    ScoreBatch,
    decode_batch_answer,
    encode,
)
from leaderboard_site.simulation.measures import Tally
from leaderboard_site.simulation.night import Batch
from leaderboard_site.simulation.persistence import PersistentClient
from leaderboard_site.simulation.players import Population


@dataclass(frozen=True)
class Told:
    """A watched player has learned the new total, at `at` on the loop's clock.

    One of each batch `looks_at_once`, to find out when the total appears on the board.
    """

    player: int
    total: int
    at: float
    looks_at_once: bool


class GameServer:
    def __init__(
        self, client: PersistentClient, leaderboard: str, population: Population, period: str, tally: Tally
    ) -> None:
        self._client = client
        self._leaderboard = leaderboard
        self._population = population
        self._period = period
        self._tally = tally

    async def play(
        self, batches: list[Batch], match_id: str, shown_at: float, introduce: bool, tell: Callable[[Told], None]
    ) -> None:
        """Send each batch at its time, or as soon as a connection is free. Returns when all are answered.

        With `introduce`, names and cities of the players go along.
        """
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as sending:
            for batch in batches:
                await asyncio.sleep(shown_at + batch.flush_at_seconds - loop.time())
                sending.create_task(self._send(batch, match_id, introduce, tell))

    async def _send(self, batch: Batch, match_id: str, introduce: bool, tell: Callable[[Told], None]) -> None:
        target = "/v1/scores/batch" if batch.watched else "/v1/scores/batch?results=rejected"
        message = self._client.client.encode("POST", target, self._body(batch, match_id, introduce))
        answer = await self._ask(message, len(batch.answers))
        if batch.watched:
            self._tell(batch, answer, tell)
        if batch.is_repeated:
            await self._ask(message, len(batch.answers))

    async def _ask(self, message: bytes, count: int) -> BatchAnswer:
        response = await self._client.send(message)
        if response.status != 202:
            raise Refused(response)
        answer = decode_batch_answer(response.body)
        self._tally.sent += count
        self._tally.accepted += answer.accepted
        self._tally.duplicates += answer.duplicates
        self._tally.rejected += answer.rejected
        self._tally.rejected_codes.update(f"{r.code}: {r.detail}" for r in answer.results if r.status == "rejected")
        return answer

    def _tell(self, batch: Batch, answer: BatchAnswer, tell: Callable[[Told], None]) -> None:
        now = asyncio.get_running_loop().time()
        watched = set(batch.watched)
        nobody_looks = True
        for quiz_answer, result in zip(batch.answers, answer.results, strict=True):
            total = result.totals.get(self._period)
            if quiz_answer.player in watched and total is not None:
                # A wrong answer changes nothing that one could see.
                looks_at_once = nobody_looks and quiz_answer.points > 0
                nobody_looks = nobody_looks and not looks_at_once
                tell(Told(quiz_answer.player, total, now, looks_at_once))

    def _body(self, batch: Batch, match_id: str, introduce: bool) -> bytes:
        people = self._population
        return encode(
            ScoreBatch(
                [
                    Score(
                        self._leaderboard,
                        people.player_id(answer.player),
                        match_id,
                        answer.points,
                        people.name(answer.player) if introduce else None,
                        {"city": people.city(answer.player)} if introduce else None,
                    )
                    for answer in batch.answers
                ]
            )
        )
