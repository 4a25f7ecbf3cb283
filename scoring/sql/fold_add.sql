-- Operator add: the sum. The acceptance number is the newest that moved the points; if none did (zero points only),
-- the first. A worsening event may have lowered the total at some moment, so it begins a new epoch.
    SELECT
        period_id, player,
        -- Clamped: so many points fit no board, but must still be a bigint to be reported.
        greatest(least(sum(points), 4e18), -4e18)::bigint AS points,
        coalesce(max(accept_no) FILTER (WHERE points <> 0), min(accept_no)) AS accept_no,
        coalesce(max(accept_no) FILTER (WHERE points <> 0), min(accept_no)) AS event_no,
        bool_or(points * %(direction)s < 0)::int AS epoch
    FROM accepted
    GROUP BY period_id, player
