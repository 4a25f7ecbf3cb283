-- The next totals of a period, in the order of their key.
-- Takes  after: the primary key of the last player read, 0 to begin.
--        How many is written into the statement: without it, PostgreSQL would keep no plan, and make one for each call.
SELECT player_id AS player, epoch, points, accept_no, details
FROM scoring_total
WHERE period_id = %(period_id)s AND player_id > %(after)s
ORDER BY player_id
LIMIT /*totals*/
