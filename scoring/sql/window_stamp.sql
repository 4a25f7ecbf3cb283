-- What the rows of one reading of a custom window have in common.
-- snapshot_no: how many transactions had ended by the snapshot of this statement, counted from some beginning. It grows with
-- each; two readings with the same number have seen the same rows. (Below xmax, all have ended but those in xip.)
-- first_accept_no: what packed scores count from. Two days that are opened in one moment may become visible in either order: rounded
-- down, both say the same.
    SELECT
        pg_snapshot_xmax(seen)::text::bigint - (SELECT count(*) FROM pg_snapshot_xip(seen)) AS snapshot_no,
        (SELECT min(first_accept_no) / 1000000 * 1000000 FROM day) AS first_accept_no
    FROM pg_current_snapshot() AS seen
