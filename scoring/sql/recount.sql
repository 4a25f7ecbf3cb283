-- recount: totals of the next players in these periods of ONE leaderboard, compared with what counts in the ledger.
-- Takes  leaderboard_id, period_ids, direction; time_counts: whether the newest event is the total; after: the primary key of the last player compared, 0 to begin;
--        player_limit: how many players to look at.
-- Gives  one row a total that is not the fold of the ledger: player, player_id, period_id, points, accept_no of the total, then
--        points and accept_no of the fold; null for none. Where all four agree, details or time do not.
--        Then one row with null in all columns but player: the last one looked at. No row at all: there are no more.
-- One statement, one snapshot: totals and ledger change together, so whatever differs is wrong, however much is being scored.
WITH period AS MATERIALIZED (
    SELECT id, coalesce(starts_at, '-infinity') AS starts_at, coalesce(ends_at, 'infinity') AS ends_at
    FROM scoring_period
    WHERE id = ANY (%(period_ids)s::int[])
),
chunk AS MATERIALIZED (
    SELECT id, player_id FROM scoring_player WHERE id > %(after)s ORDER BY id LIMIT %(player_limit)s
),
counted AS MATERIALIZED (
    SELECT e.player_id AS player, period.id AS period_id, e.points, e.accept_no, e.occurred_at, e.details
    FROM chunk
    CROSS JOIN LATERAL (SELECT * FROM scoring_scoreevent WHERE player_id = chunk.id OFFSET 0) e
    JOIN period ON e.occurred_at >= period.starts_at AND e.occurred_at < period.ends_at
    WHERE e.leaderboard_id = %(leaderboard_id)s AND e.voided_at IS NULL
),
-- The operator's own part, as for a refold.
fold AS (
    /*fold*/
),
after AS (
    SELECT f.*, e.details
    FROM fold f
    JOIN counted e ON e.player = f.player AND e.period_id = f.period_id AND e.accept_no = f.event_no
),
before AS MATERIALIZED (
    SELECT t.*
    FROM chunk
    CROSS JOIN period
    CROSS JOIN LATERAL (SELECT * FROM scoring_total WHERE period_id = period.id AND player_id = chunk.id OFFSET 0) t
),
differing AS (
    SELECT
        coalesce(a.player, b.player_id) AS player, coalesce(a.period_id, b.period_id) AS period_id,
        b.points, b.accept_no, a.points AS points_folded, a.accept_no AS accept_no_folded
    FROM after a
    FULL JOIN before b ON b.player_id = a.player AND b.period_id = a.period_id
    WHERE (a.points, a.accept_no, a.occurred_at IS NULL, a.details)
            IS DISTINCT FROM (b.points, b.accept_no, b.occurred_at IS NULL, b.details)
        -- With sums, only whether there is a time has a meaning.
        OR %(time_counts)s AND a.occurred_at IS DISTINCT FROM b.occurred_at
)
SELECT d.player, chunk.player_id, d.period_id, d.points, d.accept_no, d.points_folded, d.accept_no_folded
FROM differing d
JOIN chunk ON chunk.id = d.player
UNION ALL
SELECT max(id), NULL, NULL, NULL, NULL, NULL, NULL
FROM chunk
HAVING count(*) > 0
