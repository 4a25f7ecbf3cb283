-- void_events: the next events of ONE match that still count stop counting, in the order of their players.
-- Takes  leaderboard_id, match_id, player (null: all who played), after (primary key of a player), limit, now.
-- Gives  player, occurred_at of each.
UPDATE scoring_scoreevent e
SET voided_at = %(now)s
FROM (
    SELECT player_id
    FROM scoring_scoreevent
    WHERE leaderboard_id = %(leaderboard_id)s AND match_id = %(match_id)s AND player_id > %(after)s
        AND (%(player)s::bigint IS NULL OR player_id = %(player)s)
        AND voided_at IS NULL
    ORDER BY player_id
    LIMIT %(limit)s
) next
WHERE e.leaderboard_id = %(leaderboard_id)s AND e.match_id = %(match_id)s AND e.player_id = next.player_id
RETURNING e.player_id, e.occurred_at
