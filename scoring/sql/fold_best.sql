-- Operator best: the best event, whole; of equal ones the first.
    SELECT DISTINCT ON (period_id, player)
        period_id, player, points, accept_no, accept_no AS event_no, 0 AS epoch, NULL::timestamptz AS occurred_at,
        NULL::bigint AS unmoved
    FROM accepted
    ORDER BY period_id, player, points * %(direction)s DESC, accept_no
