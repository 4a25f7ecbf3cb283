-- Operator add: the sum. The acceptance number is the newest that moved the points; if none did (zero points only),
-- the first. A worsening event may have lowered the total at some moment, so it begins a new epoch.
-- Zero points for a total that has moved already, or has an earlier first number, change nothing for good: they are only
-- looked at, and cost no lock. In a quiz that is every wrong answer.
    SELECT g.period_id, f.*, t.points AS unmoved
    FROM (SELECT
        period_group, player,
        -- Clamped: so many points fit no board, but must still be a bigint to be reported.
        greatest(least(sum(points), 4e18), -4e18)::bigint AS points,
        coalesce(max(accept_no) FILTER (WHERE points <> 0), min(accept_no)) AS accept_no,
        coalesce(max(accept_no) FILTER (WHERE points <> 0), min(accept_no)) AS event_no,
        bool_or(points * %(direction)s < 0)::int AS epoch,
        min(occurred_at) FILTER (WHERE points <> 0) AS occurred_at
    FROM accepted
    GROUP BY period_group, player) f
    JOIN unnest(%(group_numbers)s::int[], %(group_periods)s::int[]) AS g (period_group, period_id) USING (period_group)
    LEFT JOIN LATERAL (
        SELECT points
        FROM scoring_total
        WHERE f.points = 0 AND f.epoch = 0 AND player_id = f.player AND period_id = g.period_id
            AND (points <> 0 OR occurred_at IS NOT NULL OR accept_no < f.accept_no)
        OFFSET 0
    ) t ON true
