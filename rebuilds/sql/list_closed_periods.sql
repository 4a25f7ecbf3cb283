-- list_closed_periods: note every period that is over as one to be archived.
-- Takes  now; closed_by: periods that closed up to this instant are over.
-- Gives  the period_ids that were noted. Two workers may run it at once.
-- An archived period becomes outdated if it was opened once more, since its end or the grace was moved, and is over again, even
-- if that was taken back; and if corrections reopened it. These may come in many parts: it is made anew when none has come
-- for as long as a period settles.
INSERT INTO boards_archivedperiod AS a
    (period_id, closed_at, revision, is_outdated, is_settled, is_open_again, totals_digest, attempts, retry_at, problem)
SELECT p.id, c.closes_at, 0, false, false, false, '', 0, %(now)s, ''
FROM scoring_period p
JOIN scoring_leaderboard l ON l.id = p.leaderboard_id
CROSS JOIN LATERAL (SELECT p.ends_at + l.grace_seconds * interval '1 second' AS closes_at) c
WHERE c.closes_at <= %(closed_by)s
    AND (p.reopened_at IS NULL OR p.reopened_at <= %(closed_by)s)
    AND NOT EXISTS (
        SELECT
        FROM boards_archivedperiod a
        WHERE a.period_id = p.id
            AND a.closed_at >= c.closes_at
            AND (
                a.archived_at IS NULL
                OR a.is_outdated
                OR (a.reopened_at IS NOT DISTINCT FROM p.reopened_at AND NOT a.is_open_again)
            )
    )
ON CONFLICT (period_id) DO UPDATE
SET closed_at = greatest(a.closed_at, excluded.closed_at), is_outdated = a.archived_at IS NOT NULL
RETURNING period_id
