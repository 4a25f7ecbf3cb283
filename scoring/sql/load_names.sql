-- load_names: display names of these players, for the boards.
-- Takes  players: primary keys.
-- Gives  player_id, name_version, name. Erased ones have an empty name under their former id, while that is remembered.
SELECT coalesce(f.former_id, p.player_id), coalesce(f.next_epoch - 1, p.name_version), p.name
FROM unnest(%(players)s::bigint[]) AS wanted (id)
CROSS JOIN LATERAL (SELECT * FROM scoring_player WHERE id = wanted.id OFFSET 0) p
LEFT JOIN scoring_formerid f ON f.player_id = p.id
WHERE p.review_state <> 2 OR f.former_id IS NOT NULL
