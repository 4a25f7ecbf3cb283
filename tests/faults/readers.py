"""Readers that poll a board over HTTP, and what no answer may ever show."""

import contextlib
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.faults.running_site import RunningSite

PAUSE_SECONDS = 0.01
RANKS_ASKED = 50


class Readers:
    """Each on a thread and a connection of its own, until told to stop.

    `ends` are the ids of players that stay the first and the last; `still` one in the middle who never scores, so that others
    pass and nobody falls behind: from `still_rank` on that rank only grows. `mover` scores, and never loses points. At least
    `least` are on the board at any moment, and never fewer than before.
    """

    def __init__(
        self,
        site: RunningSite,
        board: str,
        *,
        ends: tuple[str, str],
        still: str,
        still_rank: int,
        mover: str,
        least: int,
    ) -> None:
        self.reads = 0
        self.last_still_rank = still_rank
        self._site = site
        self._board = board
        self._first, self._last = ends
        self._still = still
        self._still_rank = still_rank
        self._mover = mover
        self._least = least
        self._stopped = threading.Event()

    def stop(self) -> None:
        self._stopped.set()

    def run(self) -> None:
        points = 0.0
        seen = _Seen(self._least, self._still_rank)
        with self._site.client() as client:
            board = f"/v1/leaderboards/{self._board}"
            while not self._stopped.is_set():
                # Of many sizes, so that the cache seldom answers: its pages are up to a second old.
                n = 20 + self.reads % 50
                self._check_top(seen.checked(client.get(f"{board}/top?n={n}"), cached=True), n)
                self._check_first(seen.checked(client.get(f"{board}/players/{self._first}?around=5")))
                self._check_last(seen.checked(client.get(f"{board}/players/{self._last}?around=5")))
                seen.check_still(
                    self._still_rank_of(seen.checked(client.get(f"{board}/players/{self._still}?around=5")))
                )
                asked = {"player_ids": [self._first, self._still, self._last]}
                seen.check_still(self._still_rank_among(seen.checked(client.post(f"{board}/ranks", asked))))
                now = seen.checked(client.get(f"{board}/players/{self._mover}?around=0"))["points"]
                assert now >= points
                points = now
                self.reads += 6
                self._stopped.wait(PAUSE_SECONDS)
        self.last_still_rank = max(self.last_still_rank, seen.still_rank)

    def _check_top(self, body: Any, n: int) -> None:
        entries = body["entries"]
        assert [entry["rank"] for entry in entries] == list(range(1, n + 1))
        points = [entry["points"] for entry in entries]
        assert points == sorted(points, reverse=True)
        assert entries[0]["player_id"] == self._first

    def _check_first(self, body: Any) -> None:
        assert body["rank"] == 1
        assert [entry["rank"] for entry in body["neighbours"]] == [1, 2, 3, 4, 5, 6]

    def _check_last(self, body: Any) -> None:
        assert body["rank"] == body["players"]
        assert [entry["rank"] for entry in body["neighbours"]] == list(range(body["players"] - 5, body["players"] + 1))

    def _still_rank_of(self, body: Any) -> int:
        rank: int = body["rank"]
        neighbours = body["neighbours"]
        assert [entry["rank"] for entry in neighbours] == list(range(rank - 5, rank + 6))
        assert neighbours[5]["player_id"] == self._still
        points = [entry["points"] for entry in neighbours]
        assert points == sorted(points, reverse=True)
        return rank

    def _still_rank_among(self, body: Any) -> int:
        first, still, last = (entry["rank"] for entry in body["entries"])
        assert (first, last) == (1, body["players"])
        return int(still)


class _Seen:
    """What one reader has seen, one answer after the other: each is of a later moment."""

    def __init__(self, players: int, still_rank: int) -> None:
        self.players = self._least = players
        self.still_rank = still_rank

    def checked(self, answer: Any, *, cached: bool = False) -> Any:
        assert answer.status == 200, answer
        players: int = answer.body["players"]
        assert players >= (self._least if cached else self.players)
        self.players = max(self.players, players)
        return answer.body

    def check_still(self, rank: int) -> None:
        assert rank >= self.still_rank
        self.still_rank = rank


@contextlib.contextmanager
def reading(readers: Readers, count: int = 3) -> Iterator[Readers]:
    """They read while the block runs; what one of them has seen wrong is raised at its end."""
    with ThreadPoolExecutor(count) as threads:
        running = [threads.submit(readers.run) for _ in range(count)]
        try:
            yield readers
        finally:
            readers.stop()
        for each in running:
            each.result()
