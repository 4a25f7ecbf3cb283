-- load_archived_players: these players' entries on an archived board, in the order asked for.
-- Takes  period_id, scope, player_ids; shown_states: of players who may be shown.
-- Gives  one row an id: players, place, rank, player_id, name, points, details (text). Players is null if there is no such
--        board, name for who is unknown, place, rank, points and details for who is not on the board.
SELECT b.players, e.place, e.rank, wanted.player_id, p.name, e.points, e.details::text
FROM unnest(%(player_ids)s::text[]) WITH ORDINALITY AS wanted (player_id, number)
LEFT JOIN boards_archivedboard b ON b.archived_period_id = %(period_id)s::bigint AND b.scope = %(scope)s::text
LEFT JOIN LATERAL (SELECT * FROM scoring_player WHERE player_id = wanted.player_id OFFSET 0) p
    ON p.review_state = ANY (%(shown_states)s::int[])
LEFT JOIN LATERAL (SELECT * FROM boards_archivedentry WHERE board_id = b.id AND player_id = p.id OFFSET 0) e ON true
ORDER BY wanted.number
