"""A board without a database: rules and rows as plain values, written by the real script to a real Redis."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import redis

from boards import store
from boards.board_ids import Board
from boards.keys import BoardKeys, board_keys
from boards.store import Argument, Call
from scoring.packing import MAX_DECIMAL, Packing
from scoring.periods import ALL_TIME, Calendar, PeriodKind, Window, window_of
from scoring.ranking import Operator, Order, Ties
from scoring.rules import Rules

NOW = datetime(2026, 10, 19, 14, 45, tzinfo=UTC)
RULES = Rules(
    leaderboard_id=1,
    slug="quiz",
    name="Quiz",
    operator=Operator.ADD,
    order=Order.HIGH,
    ties=Ties.FIRST,
    period_kinds=tuple(PeriodKind),
    scopes=("city",),
    calendar=Calendar(ZoneInfo("UTC")),
    scale=0,
    min_points=0,
    max_points=1000,
    min_total=0,
    max_total=MAX_DECIMAL,
    packing=Packing(),
    grace_seconds=600,
    is_public=True,
    show_previous_rank=False,
    seasons=(Window(PeriodKind.SEASON, "s42", NOW, None),),
)
pack = RULES.packing.pack
unpack_points = RULES.packing.unpack_points
BOARD = Board(RULES, ALL_TIME, "global")
KEYS: BoardKeys = board_keys(BOARD.id)
DAY = Board(RULES, window_of("day:2026-10-19", RULES.calendar), "global")
DAY_KEYS: BoardKeys = board_keys(DAY.id)


def apply(
    *by_epoch: tuple[str, int, int | str | None],
    raises: Mapping[str, int | str] | None = None,
    details: Mapping[str, str] | None = None,
    keys: BoardKeys = KEYS,
    kept_seconds: int = 0,
    may_begin: bool = True,
) -> int:
    """Run the script: raises of epoch 0, then (player, epoch, packed score or None to remove). How many were refused.

    `details` by player, of those whose points have any.
    """
    arguments: list[Argument] = [kept_seconds, int(may_begin), len(raises or {}), len(by_epoch)]
    for player_id, packed in (raises or {}).items():
        arguments += (packed, player_id)
    for player_id, epoch, score in by_epoch:
        arguments += (player_id, epoch, "" if score is None else score)
    for player_id, text in (details or {}).items():
        arguments += (player_id, text)
    (refused,) = store.run([Call("apply", keys, arguments)])
    assert isinstance(refused, int)
    return refused


def scores(client: redis.Redis, key: str) -> dict[str, float]:
    """What a board's key holds: packed score by player id."""
    lines: Any = client.zrange(key, 0, -1, withscores=True)
    return dict(lines)
