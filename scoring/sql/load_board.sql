-- load_board: the next rows of one board, in the order of its totals' key.
-- Takes  period_id; after: the primary key of the last player read, 0 to begin; totals: how many to look at;
--        segment, value: whose board it is; segment null for everybody's.
-- Gives  player (primary key), player_id (null: not on the board), epoch of player and total added up, points, accept_no,
--        details (text). In the order of the primary keys; the last total looked at always is among them, so that the next
--        call knows where to go on. No row: there are no more.
-- Each call is a snapshot of its own: nothing is held open while Redis is written.
WITH chunk AS MATERIALIZED (
    SELECT player_id AS player, epoch, points, accept_no, details
    FROM scoring_total
    WHERE period_id = %(period_id)s AND player_id > %(after)s
    ORDER BY player_id
    LIMIT %(totals)s
)
SELECT
    t.player,
    CASE WHEN p.is_shown THEN p.player_id END,
    p.epoch + t.epoch, t.points, t.accept_no, t.details::text
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
WHERE p.is_shown OR t.player = (SELECT max(player) FROM chunk)
ORDER BY t.player
