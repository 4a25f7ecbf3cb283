-- players: primary keys. Boards know those who were erased by their former ids, which may be somebody else's by now.
    SELECT p.player_id, p.id AS player, p.segments, p.review_state
    FROM unnest(%(players)s::bigint[]) AS asked (id)
    CROSS JOIN LATERAL (SELECT * FROM scoring_player WHERE id = asked.id OFFSET 0) p
    WHERE p.review_state <> 2
    UNION ALL
    SELECT former.former_id, p.id, p.segments, p.review_state
    FROM scoring_formerid former
    LEFT JOIN LATERAL (SELECT * FROM scoring_player WHERE player_id = former.former_id OFFSET 0) p ON true
    WHERE former.player_id = ANY (%(players)s::bigint[])
