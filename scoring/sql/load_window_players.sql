-- load_window_players: the rows of some players in a custom window, as of one moment.
-- Takes  leaderboard_id, first_label, last_label: its days; direction; and what the part `wanted` takes.
-- Gives  player_id, player (primary key, null: there is none of this id), segments (text), is_clear, snapshot_no, points,
--        accept_no (counted as packed scores do), details (text). Points and what follows are null without a total in these days.
-- One statement, so that all of it is of the snapshot that its number tells of.
WITH day AS MATERIALIZED (
    /*days*/
),
-- player_id, player, segments, review_state
wanted AS MATERIALIZED (
    /*wanted*/
),
counted AS MATERIALIZED (
    SELECT wanted.player, t.points, t.accept_no, t.occurred_at, t.details, day.label AS day
    FROM wanted
    CROSS JOIN day
    CROSS JOIN LATERAL (
        SELECT * FROM scoring_total WHERE period_id = day.id AND player_id = wanted.player OFFSET 0
    ) t
),
fold AS (
    /*fold*/
),
stamp AS MATERIALIZED (
    /*stamp*/
)
SELECT
    wanted.player_id, wanted.player, wanted.segments::text, coalesce(wanted.review_state = 0, false),
    stamp.snapshot_no, f.points, f.accept_no - stamp.first_accept_no, f.details::text
FROM wanted
CROSS JOIN stamp
LEFT JOIN fold f ON f.player = wanted.player
