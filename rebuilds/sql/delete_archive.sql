-- delete_archive: the boards and entries that an archived period had before it was archived anew.
-- Takes  period_id; revision: the new one, which stays.
-- Gives  how many entries there were.
-- The boards as an array: the table of all entries is never read as a whole, whatever the planner thinks of its size.
WITH entry AS (
    DELETE FROM boards_archivedentry
    WHERE board_id = ANY (ARRAY(
        SELECT id
        FROM boards_archivedboard
        WHERE archived_period_id = %(period_id)s::bigint AND revision < %(revision)s::int
    ))
    RETURNING board_id
),
board AS (
    DELETE FROM boards_archivedboard
    WHERE archived_period_id = %(period_id)s::bigint AND revision < %(revision)s::int
)
SELECT count(*) FROM entry
