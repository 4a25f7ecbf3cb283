-- load_names: display names of these players, for the boards.
-- Takes  players: primary keys.
-- Gives  player_id, name_version, name.
SELECT p.player_id, p.name_version, p.name
FROM unnest(%(players)s::bigint[]) AS wanted (id)
JOIN scoring_player p ON p.id = wanted.id
