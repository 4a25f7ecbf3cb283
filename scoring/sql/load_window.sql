-- load_window: the next rows of one board of a custom window, in the order of the players' keys.
-- Takes  leaderboard_id, first_label, last_label: its days; direction; after: the primary key of the last player read, 0 to begin;
--        totals: about how many to look at; segment, value: whose board it is; segment null for everybody's.
-- Gives  player (primary key), player_id (null: not on the board), snapshot_no, points, accept_no (counted as packed scores do),
--        details (text). In the order of the primary keys; the last player looked at always is among them, so that the next
--        call knows where to go on. No row: there are no more.
-- A portion ends where the first of the days has given its share of totals: each day is read once, from where the portion before
-- has ended, whether the same players came on all days or others on each.
WITH day AS MATERIALIZED (
    /*days*/
),
edge AS MATERIALIZED (
    SELECT min(t.player_id) AS player
    FROM day
    CROSS JOIN LATERAL (
        SELECT player_id
        FROM scoring_total
        WHERE period_id = day.id AND player_id > %(after)s
        ORDER BY player_id
        OFFSET (SELECT greatest(%(totals)s / count(*) - 1, 0) FROM day)
        LIMIT 1
    ) t
),
counted AS MATERIALIZED (
    SELECT t.player_id AS player, t.points, t.accept_no, t.occurred_at, t.details, day.label AS day
    FROM day
    CROSS JOIN edge
    CROSS JOIN LATERAL (
        SELECT *
        FROM scoring_total
        WHERE period_id = day.id AND player_id > %(after)s
            AND player_id <= coalesce(edge.player, 9223372036854775807)
        OFFSET 0
    ) t
),
fold AS MATERIALIZED (
    /*fold*/
),
stamp AS MATERIALIZED (
    /*stamp*/
)
SELECT
    f.player,
    CASE WHEN p.is_shown THEN p.player_id END,
    stamp.snapshot_no, f.points, f.accept_no - stamp.first_accept_no, f.details::text
FROM fold f
CROSS JOIN stamp
CROSS JOIN LATERAL (
    SELECT
        player_id,
        review_state = 0 AND (%(segment)s::text IS NULL OR coalesce(segments ->> %(segment)s::text = %(value)s::text, false))
            AS is_shown
    FROM scoring_player
    WHERE id = f.player
    OFFSET 0
) p
WHERE p.is_shown OR f.player = (SELECT max(player) FROM fold)
ORDER BY f.player
