-- recount: totals of the next players in these periods of ONE leaderboard, compared with what counts in the ledger.
-- Takes  leaderboard_id, period_ids, direction; after: the primary key of the last player compared, 0 to begin;
--        player_limit: how many players to look at.
-- Gives  one row a total that is not the fold of the ledger: player, player_id, period_id, points, accept_no of the total, then
--        points and accept_no of the fold; null for none. Where all four agree, details or time do not.
--        Then one row with null in all columns but player: the last one looked at. No row at all: there are no more.
-- One statement, one snapshot: totals and ledger change together, so whatever differs is wrong, however much is being scored.
WITH chunk AS MATERIALIZED (
    SELECT id, player_id FROM scoring_player WHERE id > %(after)s ORDER BY id LIMIT %(player_limit)s
),
wanted AS (
    SELECT id FROM chunk
),
/*folded*/
SELECT d.player, chunk.player_id, d.period_id, d.points_before, d.accept_no_before, d.points_after, d.accept_no_after
FROM differing d
JOIN chunk ON chunk.id = d.player
UNION ALL
SELECT max(id), NULL, NULL, NULL, NULL, NULL, NULL
FROM chunk
HAVING count(*) > 0
