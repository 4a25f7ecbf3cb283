"""Several game servers at once, each on a thread and a connection of its own."""

import contextlib
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

from tests.faults.quiz import Post, Score
from tests.faults.running_site import RunningSite
from tests.faults.waiting import eventually

PAUSE_SECONDS = 0.1
"""Between two posts of one server: the machine is to be disturbed, not filled."""


class GameServers:
    """Post batches, each once, until there are no more or until told to stop."""

    def __init__(self, site: RunningSite, batches: Iterable[list[Score]]) -> None:
        self.posts: list[Post] = []
        self._site = site
        self._batches = iter(batches)
        self._next = threading.Lock()
        self._stopped = threading.Event()

    def run(self) -> None:
        with self._site.client() as client:
            while (batch := self._take()) is not None:
                self.posts.append(Post(batch, client.post("/v1/scores/batch", {"scores": batch})))
                self._stopped.wait(PAUSE_SECONDS)

    def stop(self) -> None:
        self._stopped.set()

    def await_more(self, count: int, status: int | None = None) -> list[Post]:
        """Wait for `count` more answers (with this status) to what is sent from now on; returns them."""
        before = len(self.posts) + SERVERS

        def more() -> list[Post]:
            return [post for post in self.posts[before:] if status in (None, post.answer.status)]

        def what_there_is() -> str:
            seen = Counter(post.answer.status for post in self.posts[before:])
            return f"no {count} more answers of status {status or 'any'}, only {dict(seen)}"

        eventually(lambda: len(more()) >= count, what_there_is)
        return more()

    def _take(self) -> list[Score] | None:
        with self._next:
            return None if self._stopped.is_set() else next(self._batches, None)


SERVERS = 4


@contextlib.contextmanager
def playing(site: RunningSite, batches: Iterable[list[Score]]) -> Iterator[GameServers]:
    """Game servers that post while the block runs; at its end the answers under way are waited for."""
    servers = GameServers(site, batches)
    with ThreadPoolExecutor(SERVERS) as threads:
        running = [threads.submit(servers.run) for _ in range(SERVERS)]
        try:
            yield servers
        finally:
            servers.stop()
        for each in running:
            each.result()


def post_all(site: RunningSite, batches: Iterable[list[Score]]) -> list[Post]:
    """Post them all, over all servers; the answers in the order they came."""
    servers = GameServers(site, batches)
    with ThreadPoolExecutor(SERVERS) as threads:
        for each in [threads.submit(servers.run) for _ in range(SERVERS)]:
            each.result()
    return servers.posts
