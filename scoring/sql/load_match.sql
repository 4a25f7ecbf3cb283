-- load_match: those who played a match with a player, nearest in points first.
-- Takes  leaderboard_id, match_id, player; read_limit: how many of the match are looked at, those first known first;
--        shown: how many are given.
-- Gives  player_id (text), name, review_state, primary key, points, occurred_at, voided_at of each, the player among them;
--        and of those that were looked at how many they are, how many have more points, and the average.
--        Nothing if the player did not play it.
WITH own AS (
    SELECT *
    FROM scoring_scoreevent
    WHERE leaderboard_id = %(leaderboard_id)s AND match_id = %(match_id)s AND player_id = %(player)s
)
SELECT p.player_id, p.name, p.review_state, p.id, e.points, e.occurred_at, e.voided_at, e.looked_at, e.above, e.average
FROM (
    SELECT
        sample.*,
        count(*) OVER () AS looked_at,
        count(*) FILTER (WHERE sample.points > own.points) OVER () AS above,
        avg(sample.points) OVER ()::float8 AS average
    FROM own
    CROSS JOIN LATERAL (
        (
            SELECT player_id, points, occurred_at, voided_at
            FROM scoring_scoreevent
            WHERE leaderboard_id = %(leaderboard_id)s AND match_id = %(match_id)s
            ORDER BY player_id
            LIMIT %(read_limit)s
        )
        UNION
        SELECT own.player_id, own.points, own.occurred_at, own.voided_at
    ) sample
    ORDER BY sample.player_id <> own.player_id, abs(sample.points - own.points), sample.player_id
    LIMIT %(shown)s
) e
JOIN scoring_player p ON p.id = e.player_id
ORDER BY e.points DESC, e.player_id
