-- delete_archive: an archived period's boards and entries, to make room for new ones.
-- Takes  period_id.
-- Gives  how many entries there were.
-- The boards as an array: the table of all entries is never read as a whole, whatever the planner thinks of its size.
WITH entry AS (
    DELETE FROM boards_archivedentry
    WHERE board_id = ANY (ARRAY(SELECT id FROM boards_archivedboard WHERE archived_period_id = %(period_id)s::bigint))
    RETURNING board_id
),
board AS (
    DELETE FROM boards_archivedboard WHERE archived_period_id = %(period_id)s::bigint
)
SELECT count(*) FROM entry
