"""Points in the ledger = points in the totals = points on the board, for everyone who played."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from leaderboard_site.simulation.http_client import Client
from leaderboard_site.simulation.measures import Tally
from leaderboard_site.simulation.persistence import PersistentClient
from leaderboard_site.simulation.quiz import Quiz
from leaderboard_site.simulation.standings import NightBoard, read_sum_of_points
from scoring.models import OutboxEvent, Period

POLL_SECONDS = 0.05

NIGHT_SUM = """
SELECT count(*), coalesce(sum(points), 0)::bigint
FROM scoring_scoreevent
WHERE leaderboard_id = %s AND match_id >= %s AND match_id < %s
"""

# The fold of the ledger, written without the code that it checks.
LEDGER_SUM = """
SELECT coalesce(sum(folded), 0)::bigint
FROM (
    SELECT {fold}(e.points) AS folded
    FROM scoring_scoreevent e
    JOIN scoring_player p ON p.id = e.player_id
    WHERE e.leaderboard_id = %s AND e.voided_at IS NULL AND p.player_id = ANY(%s)
        AND e.occurred_at >= coalesce(%s, '-infinity'::timestamptz)
        AND e.occurred_at < coalesce(%s, 'infinity'::timestamptz)
    GROUP BY e.player_id
) player
"""
FOLDS = {"add": "sum", "best": "max"}

TOTAL_SUM = """
SELECT coalesce(sum(t.points), 0)::bigint
FROM scoring_total t
JOIN scoring_player p ON p.id = t.player_id
WHERE t.period_id = %s AND p.player_id = ANY(%s)
"""


@dataclass(frozen=True)
class Sums:
    """`ledger`, `totals`, `board`: points of all players of the night, in the night board's whole period.

    `night_events` and `night_points`: what the ledger has of this night alone.
    """

    night_events: int
    night_points: int
    ledger: int
    totals: int
    board: int

    @property
    def agree(self) -> bool:
        return self.ledger == self.totals == self.board


def await_outbox(timeout_seconds: float) -> bool:
    """Wait until everything saved by now has been applied; False if it takes too long."""
    deadline = time.monotonic() + timeout_seconds
    newest = OutboxEvent.objects.order_by("-id").values_list("id", flat=True).first() or 0
    while OutboxEvent.objects.waiting().filter(id__lte=newest).exists():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def read_sums(quiz: Quiz, board: NightBoard, match_prefix: str) -> Sums:
    """Ledger and totals from PostgreSQL, the board over HTTP. Reads the whole ledger once."""
    player_ids = [quiz.people.player_id(player) for player in range(quiz.people.count)]
    period = Period.objects.select_related("leaderboard").get(leaderboard__slug=quiz.leaderboard, label=board.period)
    ledger_sum = LEDGER_SUM.format(fold=FOLDS[period.leaderboard.operator])
    with connection.cursor() as cursor:
        # "." is the character after "-": all matches of the night, by the ledger's key.
        cursor.execute(NIGHT_SUM, [period.leaderboard_id, f"{match_prefix}-", f"{match_prefix}."])
        night_events, night_points = cursor.fetchone()
        cursor.execute(ledger_sum, [period.leaderboard_id, player_ids, period.starts_at, period.ends_at])
        (ledger,) = cursor.fetchone()
        cursor.execute(TOTAL_SUM, [period.pk, player_ids])
        (totals,) = cursor.fetchone()
    return Sums(night_events, night_points, ledger, totals, asyncio.run(_board_sum(quiz, board, player_ids)))


async def _board_sum(quiz: Quiz, board: NightBoard, player_ids: Sequence[str]) -> int:
    client = Client(quiz.url, key=quiz.key, connections=1)
    try:
        return await read_sum_of_points(PersistentClient(client, Tally(), quiz.give_up_seconds), board.id, player_ids)
    finally:
        await client.close()
