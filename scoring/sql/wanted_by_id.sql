-- player_ids: as the game calls them.
    SELECT asked.player_id, p.id AS player, p.segments, p.review_state
    FROM unnest(%(player_ids)s::text[]) AS asked (player_id)
    LEFT JOIN LATERAL (SELECT * FROM scoring_player WHERE player_id = asked.player_id OFFSET 0) p ON true
