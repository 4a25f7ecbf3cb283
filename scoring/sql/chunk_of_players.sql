-- These players' totals in a period.
-- Takes  players: primary keys.
SELECT t.player_id AS player, t.epoch, t.points, t.accept_no, t.details
FROM unnest(%(players)s::bigint[]) AS wanted (id)
CROSS JOIN LATERAL (
    SELECT * FROM scoring_total WHERE period_id = %(period_id)s AND player_id = wanted.id OFFSET 0
) t
