"""Many players with totals, made by SQL: what a rebuild has to load, without the time that intake would take."""

from django.db import connection

from scoring.models import Leaderboard

PLAYERS = """
INSERT INTO scoring_player (player_id, name, segments, former_scopes, review_state, epoch, name_version, created_at)
SELECT %(slug)s || '-' || n, '', '{"city": "hyd"}', '{}', 0, 0, 0, now()
FROM generate_series(0, %(players)s - 1) AS n
ON CONFLICT (player_id) DO NOTHING
"""
TOTALS = """
INSERT INTO scoring_total (period_id, player_id, points, accept_no, epoch, occurred_at, details)
SELECT d.id, p.id, 1000 + (p.id * 7919) %% 5000, nextval('scoring_accept_no'), p.id %% 50 / 49, now(), NULL
FROM scoring_player p
CROSS JOIN scoring_period d
JOIN scoring_leaderboard l ON l.id = d.leaderboard_id
WHERE l.slug = %(slug)s AND d.label = %(label)s AND p.player_id LIKE %(slug)s || '-%%'
ON CONFLICT (player_id, period_id) DO NOTHING
"""

GONE = [
    """DELETE FROM scoring_outboxevent
    WHERE period_ids && ARRAY(
        SELECT d.id::int FROM scoring_period d JOIN scoring_leaderboard l ON l.id = d.leaderboard_id WHERE l.slug = %(slug)s
    )""",
    """DELETE FROM scoring_total t
    USING scoring_period d, scoring_leaderboard l
    WHERE d.id = t.period_id AND l.id = d.leaderboard_id AND l.slug = %(slug)s""",
    "DELETE FROM scoring_scoreevent WHERE leaderboard_id = (SELECT id FROM scoring_leaderboard WHERE slug = %(slug)s)",
]


def fill(slug: str, players: int, label: str = "all") -> None:
    """`{slug}-0` and so on, all of hyd, with 1,000 to 6,000 points in the period, which must be there. No board has them.

    One in fifty is in an epoch of its own.
    """
    fill_unnoticed(slug, players, label)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE scoring_player, scoring_total")


def fill_unnoticed(slug: str, players: int, label: str = "all") -> None:
    """Likewise, but PostgreSQL knows of these players and totals only what it knew before."""
    with connection.cursor() as cursor:
        for statement in (PLAYERS, TOTALS):
            cursor.execute(statement, {"slug": slug, "players": players, "label": label})


def disperse(slug: str) -> None:
    """The leaderboard goes with all that is about it; the players stay, and are on no board. Nobody may be at work on it."""
    with connection.cursor() as cursor:
        for statement in GONE:
            cursor.execute(statement, {"slug": slug})
    Leaderboard.objects.get(slug=slug).delete()
