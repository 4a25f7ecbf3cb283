-- load_plain: those of these players of whom boards need to know nothing but id and segments.
-- Takes  players: primary keys; may be repeated.
-- Gives  one row of arrays, null for none: place from 0, player_id, segments (text). Left out are players with an epoch, who are
--        hidden, or have left a scope.
SELECT array_agg(wanted.place - 1), array_agg(p.player_id), array_agg(p.segments::text)
FROM unnest(%(players)s::bigint[]) WITH ORDINALITY AS wanted (id, place)
CROSS JOIN LATERAL (
    SELECT player_id, segments
    FROM scoring_player
    WHERE id = wanted.id AND epoch = 0 AND review_state = 0 AND former_scopes = '{}'
    OFFSET 0
) p
