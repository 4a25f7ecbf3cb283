-- lock_players: for operators whose totals depend on the order of events: these players, one call at a time.
-- Takes  player_ids.
-- Locks  player rows by player_id, the order of everyone who locks players.
SELECT id FROM scoring_player WHERE player_id = ANY (%(player_ids)s::text[]) ORDER BY player_id FOR NO KEY UPDATE
