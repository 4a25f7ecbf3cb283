-- load_totals: the totals of these players in these periods, for the answer to the game server.
-- Takes  players, period_ids.
-- Gives  player, period_id, points for each total that exists.
SELECT t.player_id, t.period_id, t.points
FROM unnest(%(players)s::bigint[]) AS p (id)
CROSS JOIN unnest(%(period_ids)s::int[]) AS w (id)
CROSS JOIN LATERAL (SELECT * FROM scoring_total WHERE period_id = w.id AND player_id = p.id OFFSET 0) t
