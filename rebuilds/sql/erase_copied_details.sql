-- erase_copied_details: take away what games said beside the points of these players, in snapshots.
-- Takes  players: primary keys; snapshot_id: the only one to look at, null for all.
-- Gives  how many entries had details.
-- A look-up for each player and period.
WITH erased AS (
    UPDATE scoring_snapshotentry e
    SET details = NULL
    FROM scoring_snapshotperiod s
    CROSS JOIN unnest(%(players)s::bigint[]) AS p (id)
    CROSS JOIN LATERAL (
        SELECT player_id
        FROM scoring_snapshotentry
        WHERE snapshot_period_id = s.id AND player_id = p.id AND details IS NOT NULL
        OFFSET 0
    ) own
    WHERE (%(snapshot_id)s::bigint IS NULL OR s.snapshot_id = %(snapshot_id)s::bigint)
        AND e.snapshot_period_id = s.id
        AND e.player_id = own.player_id
    RETURNING 1
)
SELECT count(*) FROM erased
