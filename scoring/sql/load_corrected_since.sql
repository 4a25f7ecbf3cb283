-- load_corrected_since: whose events or totals corrections have touched since a snapshot, so that it stands for them no more.
-- Takes  leaderboard_id; last_correction: the last one before it; unfinished: of those, which may have gone on after it; but: one
--        that does not count, 0 for none.
-- Gives  primary keys of players.
-- What a correction does to the ledger need not show in the totals: a worse attempt can be voided. So players of voids and
-- merges are taken whether or not their totals changed. Adjustments are events like any other; they come with their totals.
WITH correction AS MATERIALIZED (
    SELECT *
    FROM scoring_correction
    WHERE (id > %(last_correction)s OR id = ANY (%(unfinished)s::bigint[]))
        AND (leaderboard_id = %(leaderboard_id)s OR leaderboard_id IS NULL)
        AND id <> %(but)s
)
SELECT t.player_id
FROM correction c
CROSS JOIN LATERAL (SELECT * FROM scoring_correctedtotal WHERE correction_id = c.id OFFSET 0) t
UNION
SELECT player_id FROM correction WHERE player_id IS NOT NULL
UNION
SELECT into_id FROM correction WHERE into_id IS NOT NULL
UNION
SELECT e.player_id
FROM correction c
CROSS JOIN LATERAL (
    SELECT *
    FROM scoring_scoreevent
    WHERE leaderboard_id = %(leaderboard_id)s AND match_id = c.match_id AND voided_at IS NOT NULL
    OFFSET 0
) e
WHERE c.kind = 'void'
