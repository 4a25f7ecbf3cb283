    UNION ALL
    -- A total of the snapshot stands for all events up to the cut as if one had brought it: a fold of it and of what came
    -- after is the fold of all, whatever the operator.
    SELECT
        s.player_id, p.period_id, s.points, s.points <> 0 OR s.occurred_at IS NOT NULL, s.accept_no, s.occurred_at, s.details
    FROM wanted
    CROSS JOIN (
        SELECT p.id, p.period_id
        FROM scoring_snapshotperiod p
        JOIN period ON period.id = p.period_id
        WHERE p.snapshot_id = %(snapshot_id)s
    ) p
    CROSS JOIN LATERAL (
        SELECT * FROM scoring_snapshotentry WHERE snapshot_period_id = p.id AND player_id = wanted.id OFFSET 0
    ) s
    WHERE wanted.id <> ALL (%(corrected)s::bigint[])
