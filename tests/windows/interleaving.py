"""Scores, corrections, their workers and the building of a window, taken apart into steps that a test may run in any order.

Each act is committed to PostgreSQL by the real code. Each outbox event that it leaves has a worker, who reads the list of windows,
later the rows as they are by then, and writes them to Redis still later. The window is asked for, marked, read, loaded and swapped,
by the real parts of a rebuild; it may be built when it has been built already. Nothing is applied a second time.
"""

import itertools
from datetime import timedelta
from typing import Any

import redis
from django.db.models import Max

from boards import staging, store
from boards.board_ids import Board, find_board
from boards.entries import Entry
from boards.staging import StagedRows
from boards.store import Call
from boards.window_writes import load_window_calls
from boards.windows import keep_listed, list_followed, use_call
from rebuilds.window_truth import truth_of
from scoring.errors import LeaderboardError
from scoring.models import OutboxEvent, ScoreEvent
from scoring.ranking import Operator, Order, Ties
from tests.factories import NOW, LeaderboardFactory, accept_all, score
from tests.moderation import acts
from tests.rules.model import Line
from tests.windows.ledger_fold import true_lines

BUILD = ("use", "mark", "read", "load", "swap")
PLAYERS = ("ann", "bob")

Act = tuple[Any, ...]

_numbers = itertools.count(1)


def _line(entry: Entry) -> Line:
    assert entry.rank is not None
    assert isinstance(entry.points, int)
    return Line(entry.rank, entry.player_id, entry.points)


class History:
    """One run. `steps` names what may happen next; `take` lets it happen."""

    def __init__(
        self,
        client: redis.Redis,
        planned: list[Act],
        rules: tuple[Operator, Order, Ties],
        *,
        builds: int,
    ) -> None:
        client.flushdb()
        self._waiting = list(planned)
        self.slug = f"window-{next(_numbers)}"
        self._workers: dict[str, OutboxEvent | tuple[OutboxEvent, list[Board]] | list[list[Call]]] = {}
        self._build = list(BUILD) * builds
        self._loaded: dict[str, StagedRows] = {}
        self._seen = OutboxEvent.objects.aggregate(last=Max("pk"))["last"] or 0
        operator, order, ties = rules
        LeaderboardFactory.create(
            slug=self.slug,
            operator=operator,
            order=order,
            ties=ties,
            period_kinds=["day"],
            scopes=["city"],
            min_points=-100,
            grace_seconds=10**6,
        )
        self.boards = [
            find_board(f"{self.slug}:window:2026-10-17..2026-10-19:{scope}", NOW) for scope in ("global", "city:hyd")
        ]

    def steps(self) -> list[str]:
        act = ["act"] if self._waiting else []
        build = [f"build: {self._build[0]}"] if self._build else []
        return act + sorted(self._workers) + build

    def take(self, step: str) -> None:
        if step == "act":
            self._act(*self._waiting.pop(0))
            for event in self._new_events():
                self._workers[f"{event.pk} lists"] = event
        elif step.startswith("build"):
            for board in self.boards:
                self._take_build_step(self._build[0], board)
            self._build.pop(0)
        else:
            self._take_worker_step(step, self._workers.pop(step))

    def shown(self) -> list[list[Line]]:
        """What the two boards show."""
        return [[_line(entry) for entry in acts.entries(board.id)] for board in self.boards]

    def true(self) -> list[list[Line]]:
        return [true_lines(board) for board in self.boards]

    def _take_worker_step(
        self, step: str, worker: OutboxEvent | tuple[OutboxEvent, list[Board]] | list[list[Call]]
    ) -> None:
        if isinstance(worker, OutboxEvent):
            self._workers[step.replace("lists", "reads")] = worker, list_followed(NOW)
        elif isinstance(worker, tuple):
            event, windows = worker
            self._workers[step.replace("reads", "writes")] = list(load_window_calls([event], windows))
        else:
            for calls in worker:
                store.run(calls)

    def _take_build_step(self, step: str, board: Board) -> None:
        token = f"build of {board.id}"
        if step == "use":
            store.run([use_call(board, NOW)])
        elif step == "mark":
            keep_listed(board, NOW)
            assert staging.mark(board.id, token)
        elif step == "read":
            self._loaded[board.id] = truth_of(board).portion(0).rows
        elif step == "load":
            assert staging.load(board.id, token, [self._loaded[board.id]])
        else:
            assert staging.swap(board.id, token, 60, window=True)

    def _act(self, act: str, *more: Any) -> None:
        player, *rest = more
        player_id = f"{self.slug}.{player}"
        try:
            if act == "score":
                days_ago, points, city = rest
                segments = None if city is None else {"city": city}
                occurred_at = NOW - timedelta(days=days_ago)
                accept_all(score(player_id, points, leaderboard=self.slug, occurred_at=occurred_at, segments=segments))
            elif act == "void":
                (place,) = rest
                self._void(player_id, place)
            elif act == "merge":
                acts.merge(player_id, f"{self.slug}.{rest[0]}")
            else:
                {"flag": acts.flag, "unflag": acts.unflag, "erase": acts.erase}[act](player_id)
        except LeaderboardError:
            # Nobody of this id yet, or merged already: nothing happens.
            return

    def _void(self, player_id: str, place: int) -> None:
        counting = ScoreEvent.objects.filter(player__player_id=player_id, voided_at__isnull=True).order_by("accept_no")
        if events := list(counting):
            acts.void(events[place % len(events)].match_id, player_id, self.slug)

    def _new_events(self) -> list[OutboxEvent]:
        events = list(OutboxEvent.objects.filter(pk__gt=self._seen).order_by("pk"))
        if events:
            self._seen = events[-1].pk
        return [event for event in events if event.period_ids != []]
