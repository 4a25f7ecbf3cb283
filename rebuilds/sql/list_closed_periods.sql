-- list_closed_periods: note every period that is over as one to be archived.
-- Takes  now; closed_by: periods that closed up to this instant are over.
-- Gives  the period_ids that were noted. Two workers may run it at once.
-- An archived period that was opened once more, since its end or the grace was moved, and is over again, becomes outdated.
INSERT INTO boards_archivedperiod AS a (period_id, closed_at, is_outdated, attempts, retry_at, problem)
SELECT p.id, c.closes_at, false, 0, %(now)s, ''
FROM scoring_period p
JOIN scoring_leaderboard l ON l.id = p.leaderboard_id
CROSS JOIN LATERAL (SELECT p.ends_at + l.grace_seconds * interval '1 second' AS closes_at) c
WHERE c.closes_at <= %(closed_by)s
    AND NOT EXISTS (SELECT FROM boards_archivedperiod a WHERE a.period_id = p.id AND a.closed_at >= c.closes_at)
ON CONFLICT (period_id) DO UPDATE
SET closed_at = excluded.closed_at, is_outdated = a.archived_at IS NOT NULL
WHERE a.closed_at < excluded.closed_at
RETURNING period_id
