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

    `ends` are the ids of players that stay the first and the last; `mover` scores, and never loses points; `least` is how many
    are on the board at any moment.
    """

    def __init__(self, site: RunningSite, board: str, ends: tuple[str, str], mover: str, least: int) -> None:
        self.reads = 0
        self._site = site
        self._board = board
        self._first, self._last = ends
        self._mover = mover
        self._least = least
        self._stopped = threading.Event()

    def stop(self) -> None:
        self._stopped.set()

    def run(self) -> None:
        points = 0.0
        with self._site.client() as client:
            board = f"/v1/leaderboards/{self._board}"
            while not self._stopped.is_set():
                # A page of a size of its own, so that no cache answers.
                n = 20 + self.reads % 50
                self._check_top(client.get(f"{board}/top?n={n}"), n)
                self._check_first(client.get(f"{board}/players/{self._first}?around=5"))
                self._check_last(client.get(f"{board}/players/{self._last}?around=5"))
                self._check_ranks(client.post(f"{board}/ranks", {"player_ids": [self._first, self._last]}))
                now = self._checked(client.get(f"{board}/players/{self._mover}?around=0"))["points"]
                assert now >= points
                points = now
                self.reads += 5
                self._stopped.wait(PAUSE_SECONDS)

    def _check_top(self, answer: Any, n: int) -> None:
        body = self._checked(answer)
        entries = body["entries"]
        assert [entry["rank"] for entry in entries] == list(range(1, n + 1))
        points = [entry["points"] for entry in entries]
        assert points == sorted(points, reverse=True)
        assert entries[0]["player_id"] == self._first

    def _check_first(self, answer: Any) -> None:
        body = self._checked(answer)
        assert body["rank"] == 1
        assert [entry["rank"] for entry in body["neighbours"]] == [1, 2, 3, 4, 5, 6]

    def _check_last(self, answer: Any) -> None:
        body = self._checked(answer)
        assert body["rank"] == body["players"]
        assert [entry["rank"] for entry in body["neighbours"]] == list(range(body["players"] - 5, body["players"] + 1))

    def _check_ranks(self, answer: Any) -> None:
        body = self._checked(answer)
        assert [entry["rank"] for entry in body["entries"]] == [1, body["players"]]

    def _checked(self, answer: Any) -> Any:
        assert answer.status == 200, answer
        assert answer.body["players"] >= self._least
        return answer.body


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
