-- load_board_players: the rows of these players on one board.
-- Takes  period_id, player_ids; segment, value: whose board it is, segment null for everybody's.
-- Gives  player (primary key), player_id, is_shown, epoch of player and total added up, points, accept_no, details (text) of
--        each player that is known. points and what follows are null without a total in this period; epoch then is the player's.
SELECT
    p.id, p.player_id,
    t.points IS NOT NULL AND p.review_state = 0
        AND (%(segment)s::text IS NULL OR coalesce(p.segments ->> %(segment)s::text = %(value)s::text, false)),
    p.epoch + coalesce(t.epoch, 0), t.points, t.accept_no, t.details::text
FROM unnest(%(player_ids)s::text[]) AS wanted (player_id)
CROSS JOIN LATERAL (SELECT * FROM scoring_player WHERE player_id = wanted.player_id OFFSET 0) p
LEFT JOIN LATERAL (
    SELECT * FROM scoring_total WHERE period_id = %(period_id)s AND player_id = p.id OFFSET 0
) t ON true
