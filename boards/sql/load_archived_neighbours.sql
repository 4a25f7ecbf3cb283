-- load_archived_neighbours: one player of an archived board, with neighbours on each side.
-- Takes  period_id, scope, player_id; around: how many on each side; shown_states: of players who may be shown.
-- Gives  players, place, rank, player_id, name, points, details (text), best first. No row: the player is not on the board.
-- Look-ups are fenced (docs/decisions/0005): as plain joins, 66 ms with a million players.
SELECT b.players, e.place, e.rank, p.player_id, p.name, e.points, e.details::text
FROM boards_archivedboard b
CROSS JOIN LATERAL (SELECT id, review_state FROM scoring_player WHERE player_id = %(player_id)s::text OFFSET 0) asked
CROSS JOIN LATERAL (
    SELECT place FROM boards_archivedentry WHERE board_id = b.id AND player_id = asked.id OFFSET 0
) own
CROSS JOIN LATERAL (
    SELECT *
    FROM boards_archivedentry
    WHERE board_id = b.id AND place BETWEEN own.place - %(around)s::int AND own.place + %(around)s::int
    OFFSET 0
) e
CROSS JOIN LATERAL (SELECT * FROM scoring_player WHERE id = e.player_id OFFSET 0) p
WHERE b.archived_period_id = %(period_id)s::bigint
    AND b.scope = %(scope)s::text
    AND asked.review_state = ANY (%(shown_states)s::int[])
    AND p.review_state = ANY (%(shown_states)s::int[])
ORDER BY e.place
