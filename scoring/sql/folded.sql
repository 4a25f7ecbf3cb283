-- What the totals of the players in `wanted` must be, in the periods asked for, and what they are: `after` and `before`.
period AS MATERIALIZED (
    SELECT id, first_accept_no, coalesce(starts_at, '-infinity') AS starts_at, coalesce(ends_at, 'infinity') AS ends_at
    FROM scoring_period
    WHERE id = ANY (%(period_ids)s::int[])
),
-- What has to be folded. `moves`: it is worth points.
counted AS MATERIALIZED (
    SELECT
        e.player_id AS player, period.id AS period_id, e.points, e.points <> 0 AS moves, e.accept_no, e.occurred_at,
        e.details
    FROM (
        -- The events, of the players in `wanted`, that are read from the ledger.
        /*events*/
    ) e
    -- A season may be opened later than it starts: what was accepted before that is not in it.
    JOIN period ON e.occurred_at >= period.starts_at AND e.occurred_at < period.ends_at
        AND e.accept_no > period.first_accept_no
    WHERE e.leaderboard_id = %(leaderboard_id)s AND e.voided_at IS NULL
    -- What stands for the events that are not read, if there are such.
    /*base*/
),
-- The operator's own part: period_id, player, points, accept_no, occurred_at, and event_no, the number of the event that
-- details are taken from.
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
    FROM wanted
    CROSS JOIN period
    CROSS JOIN LATERAL (SELECT * FROM scoring_total WHERE period_id = period.id AND player_id = wanted.id OFFSET 0) t
),
-- Only those that differ; null for no total.
differing AS MATERIALIZED (
    SELECT
        coalesce(a.player, b.player_id) AS player, coalesce(a.period_id, b.period_id) AS period_id,
        b.points AS points_before, b.accept_no AS accept_no_before, coalesce(b.epoch, 0) AS epoch,
        a.points AS points_after, a.accept_no AS accept_no_after, a.occurred_at, a.details
    FROM after a
    FULL JOIN before b ON b.player_id = a.player AND b.period_id = a.period_id
    WHERE (a.points, a.accept_no, a.occurred_at, a.details)
        IS DISTINCT FROM (b.points, b.accept_no, b.occurred_at, b.details)
)
