-- Operator best: the best event, whole; of equal ones the first.
    SELECT g.period_id, f.*
    FROM (SELECT DISTINCT ON (period_group, player)
        period_group, player, points, accept_no, accept_no AS event_no, 0 AS epoch, NULL::timestamptz AS occurred_at,
        NULL::bigint AS unmoved
    FROM accepted
    ORDER BY period_group, player, points * %(direction)s DESC, accept_no) f
    JOIN unnest(%(group_numbers)s::int[], %(group_periods)s::int[]) AS g (period_group, period_id) USING (period_group)
