-- both_played: matches that two accounts both have events of.
-- Takes  one, other (primary keys).
-- Gives  leaderboard_id, match_id, points of one, points of the other, whether one's and the other's still count, and when the
--        other's happened.
SELECT o.leaderboard_id, o.match_id, o.points, e.points, o.voided_at IS NULL, e.voided_at IS NULL, e.occurred_at
FROM scoring_scoreevent o
CROSS JOIN LATERAL (
    SELECT *
    FROM scoring_scoreevent
    WHERE leaderboard_id = o.leaderboard_id AND match_id = o.match_id AND player_id = %(other)s
    OFFSET 0
) e
WHERE o.player_id = %(one)s
ORDER BY o.leaderboard_id, o.match_id
