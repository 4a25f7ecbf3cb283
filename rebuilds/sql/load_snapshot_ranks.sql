-- load_snapshot_ranks: the ranks of the next players of one period of a snapshot, in the order of their keys.
-- Takes  snapshot_period_id; after: the last player's primary key, 0 to begin; entries: how many; shown_state: of players who
--        are on boards.
-- Gives  primary key, player_id, scopes, ranks; player_id null for who is not shown. No row: there are no more.
SELECT e.player_id, p.player_id, e.scopes, e.ranks
FROM (
    SELECT *
    FROM scoring_snapshotentry
    WHERE snapshot_period_id = %(snapshot_period_id)s::bigint AND player_id > %(after)s::bigint
    ORDER BY player_id
    LIMIT %(entries)s::int
) e
LEFT JOIN LATERAL (SELECT * FROM scoring_player WHERE id = e.player_id OFFSET 0) p
    ON p.review_state = %(shown_state)s::int
ORDER BY e.player_id
