"""The yardsticks of intake and apply: what PostgreSQL and Redis do without our code."""

from collections.abc import Sequence
from types import TracebackType
from typing import Self

import psycopg
from django.db import connection
from django.utils import timezone

from benchmarks.seed import World
from benchmarks.services import redis_client

# No profile check, no report of duplicates, no check of the range, no fold.
PLAIN_INTAKE = """
WITH item AS MATERIALIZED (
    {item}
),
event AS (
    INSERT INTO scoring_scoreevent
        (leaderboard_id, match_id, player_id, points, accept_no, occurred_at, accepted_at)
    SELECT %(leaderboard_id)s, %(match_id)s, player, points, accept_no, %(now)s, %(now)s
    FROM item
    ON CONFLICT (leaderboard_id, match_id, player_id) DO NOTHING
),
total AS (
    INSERT INTO scoring_total AS t (period_id, player_id, points, accept_no, epoch)
    SELECT w.id, player, points, accept_no, 0
    FROM item
    CROSS JOIN unnest(%(period_ids)s::int[]) AS w (id)
    ON CONFLICT (player_id, period_id) DO UPDATE
    SET points = t.points + excluded.points, accept_no = excluded.accept_no
)
INSERT INTO scoring_outboxevent
    (queue, player_ids, player_count, period_ids, names_changed, created_at, attempts, problem)
SELECT 'live', array_agg(player), count(*), %(period_ids)s::int[], false, %(now)s, 0, ''
FROM item
"""
# As a game sends them.
ITEM_BY_ID = """
    SELECT p.id AS player, i.points, nextval('scoring_accept_no') AS accept_no
    FROM unnest(%(players)s::text[], %(points)s::bigint[]) AS i (player_id, points)
    CROSS JOIN LATERAL (SELECT id FROM scoring_player WHERE player_id = i.player_id OFFSET 0) p
"""
# As if somebody had looked them up already.
ITEM_BY_KEY = """
    SELECT player, points, nextval('scoring_accept_no') AS accept_no
    FROM unnest(%(players)s::bigint[], %(points)s::bigint[]) AS i (player, points)
"""


class PlainIntake:
    """The same rows into the same tables by one statement, with ready-made array literals; each call commits."""

    def __init__(
        self, world: World, batches: Sequence[Sequence[tuple[int, int]]], prefix: str, *, by_key: bool = False
    ) -> None:
        """`by_key`: players are given by their primary keys, which nobody outside has."""
        self._world = world
        self._prefix = prefix
        self._statement = PLAIN_INTAKE.format(item=ITEM_BY_KEY if by_key else ITEM_BY_ID)
        name_of = world.primary_keys.__getitem__ if by_key else world.people.player_id
        self._literals = [
            (_literal([name_of(player) for player, _ in batch]), _literal([points for _, points in batch]))
            for batch in batches
        ]
        connection.ensure_connection()
        self._connection = psycopg.connect(connection.connection.info.dsn, autocommit=True)
        self._connection.prepare_threshold = 0

    def save(self, index: int) -> None:
        round_number, place = divmod(index, len(self._literals))
        players, points = self._literals[place]
        parameters = {
            "players": players,
            "points": points,
            "match_id": f"{self._prefix}-{round_number:06d}",
            "leaderboard_id": self._world.rules.leaderboard_id,
            "period_ids": _literal(self._world.period_ids),
            "now": timezone.now(),
        }
        self._connection.execute(self._statement, parameters)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()


def _literal(values: Sequence[object]) -> str:
    return "{" + ",".join(map(str, values)) + "}"


Entry = tuple[str, int | str, str]
"""Board's key, packed score, player id."""

PLAYERS_A_PIPELINE = 1_000


class PlainZadd:
    """Pipelined ZADD GT, one command an entry, with plain redis-py, on copies of the boards."""

    def __init__(self, board_keys: Sequence[str]) -> None:
        self._redis = redis_client()
        self._copy_of = {key: f"yardstick:{key}" for key in board_keys}
        for key, copy in self._copy_of.items():
            self._redis.copy(key, copy, replace=True)

    def write(self, by_player: Sequence[Sequence[Entry]]) -> None:
        for first in range(0, len(by_player), PLAYERS_A_PIPELINE):
            pipeline = self._redis.pipeline(transaction=False)
            for entries in by_player[first : first + PLAYERS_A_PIPELINE]:
                for key, packed, player_id in entries:
                    pipeline.zadd(self._copy_of[key], {player_id: packed}, gt=True)
            pipeline.execute()

    def delete_copies(self) -> None:
        self._redis.unlink(*self._copy_of.values())
