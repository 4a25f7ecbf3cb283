"""What the totals must be, folded from the ledger by SQL of its own."""

from django.db import connection

_FOLDS = {
    "add": "sum(e.points)::bigint, coalesce(max(e.accept_no) FILTER (WHERE e.points <> 0), min(e.accept_no))",
    "best": """max(e.points),
        (array_agg(e.accept_no ORDER BY e.points DESC, e.accept_no))[1]""",
}
_FOLDED = """
SELECT d.label, p.player_id, {fold}
FROM scoring_scoreevent e
JOIN scoring_leaderboard l ON l.id = e.leaderboard_id
JOIN scoring_player p ON p.id = e.player_id
JOIN scoring_period d ON d.leaderboard_id = l.id
    AND e.occurred_at >= coalesce(d.starts_at, '-infinity') AND e.occurred_at < coalesce(d.ends_at, 'infinity')
WHERE l.slug = %s AND e.voided_at IS NULL
GROUP BY d.label, p.player_id
"""
_TOTALS = """
SELECT d.label, p.player_id, t.points, t.accept_no
FROM scoring_total t
JOIN scoring_period d ON d.id = t.period_id
JOIN scoring_leaderboard l ON l.id = d.leaderboard_id
JOIN scoring_player p ON p.id = t.player_id
WHERE l.slug = %s
"""

Totals = dict[tuple[str, str], tuple[int, int]]


def folded_ledger(leaderboard: str, operator: str) -> Totals:
    """Points and acceptance number by (period label, player id), from the ledger alone."""
    return _read(_FOLDED.format(fold=_FOLDS[operator]), leaderboard)


def stored_totals(leaderboard: str) -> Totals:
    """Likewise, as the totals are stored."""
    return _read(_TOTALS, leaderboard)


def _read(sql: str, leaderboard: str) -> Totals:
    with connection.cursor() as cursor:
        cursor.execute(sql, [leaderboard])
        return {(label, player_id): (points, accept_no) for label, player_id, points, accept_no in cursor.fetchall()}
