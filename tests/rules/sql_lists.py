"""The boards of a leaderboard, as SQL sorts its totals: written without the code that packs them."""

from django.db import connection

from scoring.ranking import Order, Ties
from tests.rules.model import Line

_LISTS = """
SELECT
    l.slug || ':' || d.label || ':' || s.scope,
    rank() OVER (PARTITION BY d.id, s.scope ORDER BY t.points * {direction} DESC {ties}) AS rank,
    p.player_id,
    t.points
FROM scoring_total t
JOIN scoring_period d ON d.id = t.period_id
JOIN scoring_leaderboard l ON l.id = d.leaderboard_id
JOIN scoring_player p ON p.id = t.player_id
CROSS JOIN LATERAL (
    SELECT 'global' AS scope
    UNION ALL
    SELECT key || ':' || value FROM jsonb_each_text(p.segments) WHERE key = ANY (l.scopes)
) s
WHERE l.slug = %s AND p.review_state = 0
ORDER BY 1, 2, p.player_id COLLATE "C" DESC
"""
_TIES = {Ties.FIRST: ", t.accept_no ASC", Ties.LATEST_FIRST: ", t.accept_no DESC", Ties.SHARED: ""}
_DIRECTIONS = {Order.HIGH: "1", Order.LOW: "-1"}


def sql_lists(slug: str, order: Order, ties: Ties) -> dict[str, list[Line]]:
    """Every board that has players, by id."""
    lists: dict[str, list[Line]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_LISTS.format(direction=_DIRECTIONS[order], ties=_TIES[ties]), [slug])
        for board_id, rank, player_id, units in cursor.fetchall():
            lists.setdefault(board_id, []).append(Line(rank, player_id, units))
    return lists
