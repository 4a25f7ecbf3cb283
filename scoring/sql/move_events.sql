-- move_events: one account's events become another's, but for those of matches that the other has too.
-- Takes  one, other (primary keys).
-- Gives  how many.
WITH moved AS (
    UPDATE scoring_scoreevent e
    SET player_id = %(other)s
    WHERE player_id = %(one)s
        AND NOT EXISTS (
            SELECT
            FROM scoring_scoreevent o
            WHERE o.leaderboard_id = e.leaderboard_id AND o.match_id = e.match_id AND o.player_id = %(other)s
        )
    RETURNING true
)
SELECT count(*) FROM moved
