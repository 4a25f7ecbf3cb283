-- load_board: rows of one board, of some of its period's totals.
-- Takes  period_id; segment, value: whose board it is, segment null for everybody's; and what the chunk takes: the totals to
--        look at, chunk_of_period.sql or chunk_of_players.sql.
-- Gives  one row: last, the primary key of the last player looked at, null if there are no more; then of the players that are
--        on the board, all in one order, arrays (null for none) of player_id, epoch of player and total
--        added up, points, accept_no, details (text).
-- Each call is a snapshot of its own: nothing is held open while Redis is written. Arrays cost the client a third of rows.
-- Players are mostly read as a stretch of their table: 1.5 microseconds a row instead of 2.4 with a look-up each. Where the
-- totals are of few of those in between, each is looked up.
WITH chunk AS MATERIALIZED (
/*chunk*/
),
stretch AS MATERIALIZED (
    SELECT min(player) AS first, max(player) AS last, max(player) - min(player) < 3 * count(*) AS is_dense FROM chunk
),
member AS (
    SELECT t.*, p.player_id, p.epoch AS player_epoch, p.review_state, p.segments
    FROM chunk t
    JOIN (
        SELECT * FROM scoring_player
        WHERE id BETWEEN (SELECT first FROM stretch) AND (SELECT last FROM stretch)
        OFFSET 0
    ) p ON p.id = t.player
    WHERE (SELECT is_dense FROM stretch)
    UNION ALL
    SELECT t.*, p.player_id, p.epoch, p.review_state, p.segments
    FROM chunk t
    CROSS JOIN LATERAL (SELECT * FROM scoring_player WHERE id = t.player OFFSET 0) p
    WHERE NOT (SELECT is_dense FROM stretch)
)
SELECT
    (SELECT last FROM stretch),
    array_agg(player_id),
    array_agg(player_epoch + epoch),
    array_agg(points),
    array_agg(accept_no),
    array_agg(details::text)
FROM (
    SELECT *
    FROM member
    WHERE review_state = 0
        AND (%(segment)s::text IS NULL OR coalesce(segments ->> %(segment)s::text = %(value)s::text, false))
    ORDER BY player
) shown
