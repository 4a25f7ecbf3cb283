-- create_players: the players that are not known yet, in the order of their ids (see accept_scores: lock order).
-- Takes  player_ids, names, segments: arrays of one length, each player once.
-- Gives  one row a player created: id, player_id, named. Players that exist already are left as they are.
INSERT INTO scoring_player (player_id, name, segments, former_scopes, review_state, epoch, name_version, created_at)
SELECT
    new.player_id, new.name, new.segments, '{}', 0, coalesce(former.epoch, 0),
    coalesce(former.epoch, 0) + (new.name <> '')::int, %(now)s
FROM unnest(%(player_ids)s::text[], %(names)s::text[], %(segments)s::jsonb[]) AS new (player_id, name, segments)
-- The id of a person who was erased a moment ago: boards refuse what is not above all that they have seen of it.
LEFT JOIN LATERAL (
    SELECT max(next_epoch) AS epoch FROM scoring_formerid WHERE former_id = new.player_id
) former ON true
ORDER BY new.player_id
ON CONFLICT (player_id) DO NOTHING
RETURNING id, player_id, name <> '' AS named
