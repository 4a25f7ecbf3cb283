-- Operator best: the best day, whole; of equal ones the first.
    SELECT DISTINCT ON (player) player, points, accept_no, details
    FROM counted
    ORDER BY player, points * %(direction)s DESC, accept_no
