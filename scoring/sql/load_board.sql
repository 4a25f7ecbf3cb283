-- load_board: rows of one board, of some of its period's totals.
-- Takes  period_id; segment, value: whose board it is, segment null for everybody's; and what the chunk takes: the totals to
--        look at, chunk_of_period.sql or chunk_of_players.sql.
-- Gives  one row: last, the primary key of the last player looked at, null if there are no more; then of the players that are
--        on the board, all in one order, arrays (null for none) of player_id, epoch of player and total
--        added up, points, accept_no, details (text).
-- Each call is a snapshot of its own: nothing is held open while Redis is written. Arrays cost the client a third of rows.
WITH chunk AS MATERIALIZED (
/*chunk*/
)
SELECT
    (SELECT max(player) FROM chunk),
    array_agg(p.player_id),
    array_agg(p.epoch + t.epoch),
    array_agg(t.points),
    array_agg(t.accept_no),
    array_agg(t.details::text)
FROM chunk t
CROSS JOIN LATERAL (
    SELECT
        player_id, epoch,
        review_state = 0 AND (%(segment)s::text IS NULL OR coalesce(segments ->> %(segment)s::text = %(value)s::text, false))
            AS is_shown
    FROM scoring_player
    WHERE id = t.player
    OFFSET 0
) p
WHERE p.is_shown
