-- Operator add: the sum. The acceptance number is the newest that moved the points; if none did, the first.
    SELECT
        period_id, player,
        greatest(least(sum(points), 4e18), -4e18)::bigint AS points,
        coalesce(max(accept_no) FILTER (WHERE moves), min(accept_no)) AS accept_no,
        coalesce(max(accept_no) FILTER (WHERE moves), min(accept_no)) AS event_no,
        min(occurred_at) FILTER (WHERE moves) AS occurred_at
    FROM counted
    GROUP BY period_id, player
