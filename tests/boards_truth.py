"""What the boards must show, computed from the rows by SQL, and what they show."""

from typing import NamedTuple

import redis
from django.conf import settings
from django.db import connection

_SHOWN = """
WITH shown AS (
    SELECT
        l.slug || ':' || d.label || ':' AS period, l.scopes, p.player_id, p.segments,
        t.points * 10000000000 + 9999999999 - (t.accept_no - d.first_accept_no) AS packed
    FROM scoring_total t
    JOIN scoring_period d ON d.id = t.period_id
    JOIN scoring_leaderboard l ON l.id = d.leaderboard_id
    JOIN scoring_player p ON p.id = t.player_id
    WHERE l.slug = %s AND p.review_state = 0
)
SELECT period || 'global', player_id, packed FROM shown
UNION ALL
SELECT period || segment.key || ':' || segment.value, player_id, packed
FROM shown CROSS JOIN jsonb_each_text(segments) AS segment
WHERE segment.key = ANY (scopes)
ORDER BY 1, 3 DESC, 2 DESC
"""

Line = tuple[str, int]


class Difference(NamedTuple):
    """A board whose lines, best first, are not what the totals say."""

    board: str
    shown: list[Line]
    true: list[Line]


def true_boards(leaderboard: str) -> dict[str, list[Line]]:
    """Every board by id: player ids with packed scores, best first, as the totals say."""
    boards: dict[str, list[Line]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_SHOWN, [leaderboard])
        for board, player_id, packed in cursor.fetchall():
            boards.setdefault(board, []).append((player_id, packed))
    return boards


def shown_boards(leaderboard: str) -> dict[str, list[Line]]:
    """Likewise, as Redis says."""
    with redis.Redis.from_url(settings.REDIS_URL, decode_responses=True) as client:
        return {
            key.removeprefix("lb:"): [
                (player_id, int(packed)) for player_id, packed in client.zrevrange(key, 0, -1, withscores=True)
            ]
            for key in client.scan_iter(f"lb:{leaderboard}:*", count=1_000)
        }


def shown_board_ids(leaderboard: str) -> set[str]:
    """The boards that Redis has."""
    with redis.Redis.from_url(settings.REDIS_URL, decode_responses=True) as client:
        return {key.removeprefix("lb:") for key in client.scan_iter(f"lb:{leaderboard}:*", count=1_000)}


def differences(leaderboard: str = "quiz") -> list[Difference]:
    """Every board of the leaderboard that differs from the totals; empty if all is well."""
    true, shown = true_boards(leaderboard), shown_boards(leaderboard)
    return [
        Difference(board, shown.get(board, []), true.get(board, []))
        for board in sorted(true.keys() | shown.keys())
        if shown.get(board) != true.get(board)
    ]
