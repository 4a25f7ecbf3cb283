-- Operator add: the sum. The acceptance number is the newest that moved the points; if none did (zero points only),
-- the first. A worsening event may have lowered the total at some moment, so it begins a new epoch.
-- Zero points for a total that has moved already, or has an earlier first number, change nothing for good: left out here,
-- they cost no lock. In a quiz that is every wrong answer.
    SELECT *
    FROM (SELECT
        period_id, player,
        -- Clamped: so many points fit no board, but must still be a bigint to be reported.
        greatest(least(sum(points), 4e18), -4e18)::bigint AS points,
        coalesce(max(accept_no) FILTER (WHERE points <> 0), min(accept_no)) AS accept_no,
        coalesce(max(accept_no) FILTER (WHERE points <> 0), min(accept_no)) AS event_no,
        bool_or(points * %(direction)s < 0)::int AS epoch,
        min(occurred_at) FILTER (WHERE points <> 0) AS occurred_at
    FROM accepted
    GROUP BY period_id, player) f
    WHERE points <> 0
        OR epoch <> 0
        OR NOT EXISTS (
            SELECT
            FROM scoring_total t
            WHERE t.period_id = f.period_id AND t.player_id = f.player
                AND (t.points <> 0 OR t.occurred_at IS NOT NULL OR t.accept_no < f.accept_no)
            OFFSET 0
        )
