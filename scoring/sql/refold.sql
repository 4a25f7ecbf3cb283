-- refold: totals of these players in these periods of ONE leaderboard, made anew from what counts in the ledger.
-- Takes  leaderboard_id, players (primary keys), period_ids, direction; correction_id, to note what changed.
-- Gives  one row a total that changed: player, period_id, points_before, points_after, accept_no_after; null for no total.
--
-- The caller holds the ledger and has locked the players (see ledger_locks.py). What does not change is left alone. What
-- does begins a new epoch, up or down: so it is taken by boards whatever they have seen.
-- A total without events goes, and its epoch with it: the player's own epoch steps over it, by two. Boards are told of the
-- removal with the epoch in between, so that a new total, which begins at 0 again, is above that.
WITH period AS MATERIALIZED (
    SELECT id, first_accept_no, coalesce(starts_at, '-infinity') AS starts_at, coalesce(ends_at, 'infinity') AS ends_at
    FROM scoring_period
    WHERE id = ANY (%(period_ids)s::int[])
),
counted AS MATERIALIZED (
    SELECT e.player_id AS player, period.id AS period_id, e.points, e.accept_no, e.occurred_at, e.details
    FROM unnest(%(players)s::bigint[]) AS p (id)
    CROSS JOIN LATERAL (SELECT * FROM scoring_scoreevent WHERE player_id = p.id OFFSET 0) e
    -- A season may be opened later than it starts: what was accepted before that is not in it.
    JOIN period ON e.occurred_at >= period.starts_at AND e.occurred_at < period.ends_at
        AND e.accept_no > period.first_accept_no
    WHERE e.leaderboard_id = %(leaderboard_id)s AND e.voided_at IS NULL
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
    FROM unnest(%(players)s::bigint[]) AS p (id)
    CROSS JOIN period
    CROSS JOIN LATERAL (SELECT * FROM scoring_total WHERE period_id = period.id AND player_id = p.id OFFSET 0) t
),
changed AS MATERIALIZED (
    SELECT
        coalesce(a.player, b.player_id) AS player, coalesce(a.period_id, b.period_id) AS period_id,
        b.points AS points_before, b.accept_no AS accept_no_before, coalesce(b.epoch, 0) AS epoch,
        a.points AS points_after, a.accept_no AS accept_no_after, a.occurred_at, a.details
    FROM after a
    FULL JOIN before b ON b.player_id = a.player AND b.period_id = a.period_id
    WHERE (a.points, a.accept_no, a.occurred_at, a.details)
        IS DISTINCT FROM (b.points, b.accept_no, b.occurred_at, b.details)
),
saved AS (
    INSERT INTO scoring_total (period_id, player_id, points, accept_no, epoch, occurred_at, details)
    SELECT period_id, player, points_after, accept_no_after, epoch + 1, occurred_at, details
    FROM changed
    WHERE points_after IS NOT NULL
    ORDER BY player, period_id
    ON CONFLICT (period_id, player_id) DO UPDATE
    SET points = excluded.points,
        accept_no = excluded.accept_no,
        epoch = excluded.epoch,
        occurred_at = excluded.occurred_at,
        details = excluded.details
),
removed AS (
    DELETE FROM scoring_total t
    USING changed c
    WHERE c.points_after IS NULL AND t.period_id = c.period_id AND t.player_id = c.player
),
stepped AS (
    UPDATE scoring_player p
    SET epoch = p.epoch + gone.epoch + 2
    FROM (SELECT player, max(epoch) AS epoch FROM changed WHERE points_after IS NULL GROUP BY player) gone
    WHERE p.id = gone.player
),
noted AS (
    INSERT INTO scoring_correctedtotal
        (correction_id, player_id, period_id, points_before, accept_no_before, points_after, accept_no_after)
    SELECT %(correction_id)s, player, period_id, points_before, accept_no_before, points_after, accept_no_after
    FROM changed
)
SELECT player, period_id, points_before, points_after, accept_no_after FROM changed
