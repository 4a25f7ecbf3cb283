-- prune_snapshot: delete the next entries of one period of a snapshot, in the order of the key.
-- Takes  snapshot_period_id; entries: how many.
-- Gives  how many were deleted.
WITH next AS MATERIALIZED (
    SELECT player_id
    FROM scoring_snapshotentry
    WHERE snapshot_period_id = %(snapshot_period_id)s::bigint
    ORDER BY player_id
    LIMIT %(entries)s::int
),
deleted AS (
    DELETE FROM scoring_snapshotentry
    WHERE snapshot_period_id = %(snapshot_period_id)s::bigint
        AND player_id BETWEEN (SELECT min(player_id) FROM next) AND (SELECT max(player_id) FROM next)
    RETURNING 1
)
SELECT count(*) FROM deleted
