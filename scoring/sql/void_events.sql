-- void_events: events of ONE match stop counting.
-- Takes  leaderboard_id, match_id, players (primary keys), now.
-- Gives  occurred_at of each that counted until now.
UPDATE scoring_scoreevent
SET voided_at = %(now)s
WHERE leaderboard_id = %(leaderboard_id)s AND match_id = %(match_id)s AND player_id = ANY (%(players)s::bigint[])
    AND voided_at IS NULL
RETURNING occurred_at
