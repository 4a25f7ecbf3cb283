-- Operator latest: the newest event by occurred_at, of equal ones the one accepted last. Taken in the order of acceptance:
-- an event that is older than one taken before changes nothing; the acceptance number moves only when the points do.
-- The caller has locked the players, so the totals joined here are the current ones, and stay so.
-- A step to worse points begins a new epoch.
    SELECT DISTINCT ON (period_id, player)
        period_id, player, points,
        coalesce(max(accept_no) FILTER (WHERE points IS DISTINCT FROM before) OVER whole, old_accept_no) AS accept_no,
        accept_no AS event_no,
        occurred_at,
        coalesce(bool_or(points * %(direction)s < before * %(direction)s) OVER whole, false)::int AS epoch,
        NULL::bigint AS unmoved
    FROM (
        SELECT *, coalesce(lag(points) OVER (PARTITION BY period_id, player ORDER BY accept_no), old_points) AS before
        FROM (
            SELECT
                g.period_id, a.*, t.points AS old_points, t.accept_no AS old_accept_no,
                greatest(
                    t.occurred_at,
                    max(a.occurred_at) OVER (
                        PARTITION BY g.period_id, a.player ORDER BY a.accept_no
                        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                    )
                ) AS newest_before
            FROM accepted a
            JOIN unnest(%(group_numbers)s::int[], %(group_periods)s::int[]) AS g (period_group, period_id) USING (period_group)
            LEFT JOIN LATERAL (
                SELECT * FROM scoring_total WHERE player_id = a.player AND period_id = g.period_id OFFSET 0
            ) t ON true
        ) every
        WHERE newest_before IS NULL OR occurred_at >= newest_before
    ) taken
    WINDOW whole AS (
        PARTITION BY period_id, player ORDER BY accept_no ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    )
    ORDER BY period_id, player, event_no DESC
