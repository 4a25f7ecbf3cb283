-- load_archived_neighbours: one player of an archived board, with neighbours on each side.
-- Takes  period_id, scope, player_id; around: how many on each side; shown_states: of players who may be shown.
-- Gives  players, place, rank, player_id, name, points, details (text), best first. No row: the player is not on the board.
SELECT b.players, e.place, e.rank, p.player_id, p.name, e.points, e.details::text
FROM boards_archivedboard b
JOIN scoring_player own_player ON own_player.player_id = %(player_id)s::text
JOIN boards_archivedentry own ON own.board_id = b.id AND own.player_id = own_player.id
JOIN boards_archivedentry e
    ON e.board_id = b.id AND e.place BETWEEN own.place - %(around)s::int AND own.place + %(around)s::int
JOIN scoring_player p ON p.id = e.player_id
WHERE b.archived_period_id = %(period_id)s::bigint
    AND b.scope = %(scope)s::text
    AND own_player.review_state = ANY (%(shown_states)s::int[])
    AND p.review_state = ANY (%(shown_states)s::int[])
ORDER BY e.place
