-- load_names: display names of these players, for the boards; erased ones have none.
-- Takes  players: primary keys.
-- Gives  player_id, name_version, name.
SELECT p.player_id, p.name_version, p.name
FROM unnest(%(players)s::bigint[]) AS wanted (id)
CROSS JOIN LATERAL (SELECT * FROM scoring_player WHERE id = wanted.id OFFSET 0) p
WHERE p.review_state <> 2
