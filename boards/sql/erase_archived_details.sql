-- erase_archived_details: take away what games said beside the points of these players' archived entries.
-- Takes  players: primary keys; period_id: of the only period to look at, null for all.
-- Gives  how many entries had details.
-- A look-up for each player and board: a second for 100,000 boards, once in the life of a person.
WITH erased AS (
    UPDATE boards_archivedentry e
    SET details = NULL
    FROM boards_archivedboard b
    CROSS JOIN unnest(%(players)s::bigint[]) AS p (id)
    CROSS JOIN LATERAL (
        SELECT place
        FROM boards_archivedentry
        WHERE board_id = b.id AND player_id = p.id AND details IS NOT NULL
        OFFSET 0
    ) own
    WHERE (%(period_id)s::bigint IS NULL OR b.archived_period_id = %(period_id)s::bigint)
        AND e.board_id = b.id
        AND e.place = own.place
    RETURNING e.place
)
SELECT count(*) FROM erased
