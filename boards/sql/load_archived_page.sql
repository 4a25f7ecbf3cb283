-- load_archived_page: a page of an archived board, best first.
-- Takes  period_id, scope; first, last: places from 1; shown_states: of players who may be shown.
-- Gives  players, place, rank, player_id, name, points, details (text), one row an entry. No row: there is no such board;
--        a single row of nulls but for players: nobody is on this page.
-- Pages are cut by place, so that an erased player makes one shorter and moves nobody to the next.
SELECT b.players, e.place, e.rank, e.player_id, e.name, e.points, e.details
FROM boards_archivedboard b
LEFT JOIN LATERAL (
    SELECT e.place, e.rank, p.player_id, p.name, e.points, e.details::text
    FROM boards_archivedentry e
    CROSS JOIN LATERAL (SELECT * FROM scoring_player WHERE id = e.player_id OFFSET 0) p
    WHERE e.board_id = b.id
        AND e.place BETWEEN %(first)s::bigint AND %(last)s::bigint
        AND p.review_state = ANY (%(shown_states)s::int[])
) e ON true
WHERE b.archived_period_id = %(period_id)s::bigint AND b.scope = %(scope)s::text
ORDER BY e.place
