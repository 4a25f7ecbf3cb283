-- Operator add: the sum. The acceptance number is the newest that moved a day's points; if none did, the first.
    SELECT DISTINCT ON (player)
        player, (sum(points) OVER (PARTITION BY player))::bigint AS points, accept_no, details
    FROM counted
    ORDER BY player, occurred_at IS NULL, CASE WHEN occurred_at IS NULL THEN accept_no ELSE -accept_no END
