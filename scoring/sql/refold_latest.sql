-- Operator latest: the newest event by occurred_at, of equal ones the one accepted last. Taken in the order of acceptance:
-- an event that is older than one taken before changes nothing; the acceptance number moves only when the points do.
    SELECT DISTINCT ON (period_id, player)
        period_id, player, points,
        max(accept_no) FILTER (WHERE points IS DISTINCT FROM points_before) OVER whole AS accept_no,
        accept_no AS event_no,
        occurred_at
    FROM (
        SELECT *, lag(points) OVER (PARTITION BY period_id, player ORDER BY accept_no) AS points_before
        FROM (
            SELECT
                *,
                max(occurred_at) OVER (
                    PARTITION BY period_id, player ORDER BY accept_no ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) AS newest_before
            FROM counted
        ) every
        WHERE newest_before IS NULL OR occurred_at >= newest_before
    ) taken
    WINDOW whole AS (
        PARTITION BY period_id, player ORDER BY accept_no ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    )
    ORDER BY period_id, player, event_no DESC
