-- Operator latest: the newest day that has an event, whole.
    SELECT DISTINCT ON (player) player, points, accept_no, details
    FROM counted
    ORDER BY player, day DESC
