"""Scores, corrections, their workers and a rebuild, taken apart into steps that a test may run in any order.

Each act is committed to PostgreSQL by the real code, in its turn. Each outbox event that it leaves has a worker, who first reads
the rows as they are by then, and later writes what was read to Redis by the real script. A rebuild of the global board marks
it, reads, loads and swaps, by its real parts. Nothing is applied a second time.
"""

import itertools
from collections.abc import Callable
from typing import Any

import redis
from django.db.models import Max

from boards import staging, store
from boards.board_ids import find_board
from boards.keys import BoardKeys
from boards.staging import NO_ROWS
from boards.store import Call
from rebuilds.truth import Truth
from scoring.models import OutboxEvent, ScoreEvent
from tests.boards_truth import Difference, differences
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.moderation import acts
from tests.moderation.workers import Worker

ACTS = ("raise", "lower", "void", "adjust", "flag", "unflag", "move")
"""What may happen to ann, who begins with one match of 30 points, in hyd."""

_numbers = itertools.count(1)

Write = Callable[[redis.Redis, OutboxEvent, list[Call]], None]


def by_epoch(_: redis.Redis, event: OutboxEvent, calls: list[Call]) -> None:
    """What apply does, whoever brings it."""
    store.run(calls)


def naive(client: redis.Redis, event: OutboxEvent, calls: list[Call]) -> None:
    """The tempting rule: raises only upwards, corrections as they are."""
    for call in calls:
        keys = BoardKeys(*call.keys)
        _, _, raises, others, *rest = call.arguments
        assert isinstance(raises, int)
        assert isinstance(others, int)
        writes = list(zip(rest[1 : 2 * raises : 2], rest[: 2 * raises : 2], strict=True))
        by_player = rest[2 * raises : 2 * raises + 3 * others]
        writes += zip(by_player[::3], by_player[2::3], strict=True)
        for key in (keys.live, keys.staging) if client.exists(keys.lease) else (keys.live,):
            for player_id, packed in writes:
                if packed == "":
                    client.zrem(key, str(player_id))
                else:
                    client.zadd(key, {str(player_id): float(packed)}, gt=event.queue == OutboxEvent.Queue.LIVE)


class History:
    """One run. `steps` names what may happen next; `take` lets it happen."""

    def __init__(
        self, client: redis.Redis, planned: list[str], *, rebuild: bool = False, write: Write = by_epoch
    ) -> None:
        client.flushdb()
        self._client = client
        self._write = write
        self._waiting = list(planned)
        self.slug = f"orders-{next(_numbers)}"
        self.ann, self.bob = f"{self.slug}.ann", f"{self.slug}.bob"
        self._workers: dict[str, OutboxEvent | Worker] = {}
        self._events: dict[str, OutboxEvent] = {}
        self._rebuild = ["mark", "read", "load", "swap"] if rebuild else []
        self._loaded = NO_ROWS
        self._seen = OutboxEvent.objects.aggregate(last=Max("pk"))["last"] or 0
        LeaderboardFactory.create(slug=self.slug, scopes=["city"], min_points=-100)
        self._act("raise", points=30, segments={"city": "hyd"})
        self._score(self.bob, 25, segments={"city": "hyd"})
        for event in self._new_events():
            by_epoch(client, event, Worker(self.slug, event).calls)

    def steps(self) -> list[str]:
        commit = [f"commit {self._waiting[0]}"] if self._waiting else []
        rebuild = [f"rebuild: {self._rebuild[0]}"] if self._rebuild else []
        return commit + sorted(self._workers) + rebuild

    def take(self, step: str) -> None:
        worker = self._workers.pop(step, None)
        if isinstance(worker, OutboxEvent):
            self._workers[step.replace("reads", "writes")] = Worker(self.slug, worker)
        elif worker is not None:
            self._write(self._client, self._events[step.split(maxsplit=1)[0]], worker.calls)
        elif step.startswith("commit"):
            self._act(self._waiting.pop(0))
            for event in self._new_events():
                self._events[str(event.pk)] = event
                self._workers[f"{event.pk} reads"] = event
        else:
            self._take_rebuild_step(self._rebuild.pop(0))

    def differences(self) -> list[Difference]:
        return differences(self.slug)

    def _act(self, act: str, points: int = 10, **more: Any) -> None:
        if act == "raise":
            self._score(self.ann, points, **more)
        elif act == "lower":
            self._score(self.ann, -5)
        elif act == "move":
            self._score(self.ann, 0, segments={"city": "pune"})
        elif act == "void":
            self._void_oldest()
        elif act == "adjust":
            acts.adjust(self.ann, -20, self.slug)
        else:
            (acts.flag if act == "flag" else acts.unflag)(self.ann)

    def _score(self, player_id: str, points: int, **more: Any) -> None:
        accept_all(score(player_id, points, leaderboard=self.slug, **more))

    def _void_oldest(self) -> None:
        counting = ScoreEvent.objects.filter(player__player_id=self.ann, voided_at__isnull=True).order_by("accept_no")
        if event := counting.first():
            acts.void(event.match_id, self.ann, self.slug)

    def _new_events(self) -> list[OutboxEvent]:
        """Those that this history has left and nobody knows yet, but for those about names."""
        events = list(OutboxEvent.objects.filter(pk__gt=self._seen).order_by("pk"))
        if events:
            self._seen = events[-1].pk
        return [event for event in events if event.period_ids != []]

    def _take_rebuild_step(self, step: str) -> None:
        board_id = f"{self.slug}:all:global"
        if step == "mark":
            assert staging.mark(board_id, "rebuild")
        elif step == "read":
            self._loaded = Truth(find_board(board_id, NOW)).portion(0).rows
        elif step == "load":
            assert staging.load(board_id, "rebuild", [self._loaded])
        else:
            assert staging.swap(board_id, "rebuild", 0)
