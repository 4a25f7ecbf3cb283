-- snapshot_period: the standings of one open period into a snapshot. All periods in one transaction are of one moment.
-- Takes  snapshot_period_id, period_id; shown_state, scopes, direction, number_sign: as archive_period does.
-- Gives  how many totals.
-- In the order of the key: so they are read again, and vacuum finds those of a pruned snapshot side by side.
-- A full join, although every standing has its total: PostgreSQL never does one by comparing each with each. It would for a left
-- join, expecting one total of a period that has begun since it last looked: 1.9 s for 5,000 players instead of 0.03, and a
-- hundred times as much for ten times as many.
WITH total AS MATERIALIZED (
    SELECT t.*, p.segments, p.player_id AS shown_id, p.review_state
    FROM scoring_total t
    JOIN scoring_player p ON p.id = t.player_id
    WHERE t.period_id = %(period_id)s::bigint
),
shown AS (
    SELECT * FROM total WHERE review_state = %(shown_state)s::int
),
on_board AS (
    SELECT s.scope, shown.player_id, shown.points, shown.accept_no, shown.shown_id
    FROM shown
    CROSS JOIN LATERAL (
/*scopes*/
    ) s
),
ranked AS (
/*ranked*/
),
standing AS (
    SELECT player_id, array_agg(scope) AS scopes, array_agg(rank) AS ranks
    FROM ranked
    GROUP BY player_id
),
entry AS (
    INSERT INTO scoring_snapshotentry
        (snapshot_period_id, player_id, points, accept_no, occurred_at, details, scopes, ranks)
    SELECT
        %(snapshot_period_id)s::bigint, t.player_id, t.points, t.accept_no, t.occurred_at, t.details,
        coalesce(s.scopes, '{}'), coalesce(s.ranks, '{}')
    FROM total t
    FULL JOIN standing s USING (player_id)
    ORDER BY t.player_id
    RETURNING 1
)
SELECT count(*) FROM entry
