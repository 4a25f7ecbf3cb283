-- refold: totals of these players in these periods of ONE leaderboard, made anew from what counts in the ledger.
-- Takes  leaderboard_id, players (primary keys), period_ids, direction; correction_id, to note what changed.
-- Gives  one row a total that changed: player, period_id, points_before, points_after, accept_no_after; null for no total.
--
-- The caller holds the ledger and has locked the players (see ledger_locks.py). What does not change is left alone. What
-- does begins a new epoch, up or down: so it is taken by boards whatever they have seen.
-- A total without events goes, and its epoch with it: the player's own epoch steps over it, by two. Boards are told of the
-- removal with the epoch in between, so that a new total, which begins at 0 again, is above that.
WITH wanted AS (
    SELECT id FROM unnest(%(players)s::bigint[]) AS p (id)
),
/*folded*/,
saved AS (
    INSERT INTO scoring_total (period_id, player_id, points, accept_no, epoch, occurred_at, details)
    SELECT period_id, player, points_after, accept_no_after, epoch + 1, occurred_at, details
    FROM differing
    WHERE points_after IS NOT NULL
    ORDER BY player, period_id
    ON CONFLICT (player_id, period_id) DO UPDATE
    SET points = excluded.points,
        accept_no = excluded.accept_no,
        epoch = excluded.epoch,
        occurred_at = excluded.occurred_at,
        details = excluded.details
),
removed AS (
    DELETE FROM scoring_total t
    USING differing c
    WHERE c.points_after IS NULL AND t.period_id = c.period_id AND t.player_id = c.player
),
stepped AS (
    UPDATE scoring_player p
    SET epoch = p.epoch + gone.epoch + 2
    FROM (SELECT player, max(epoch) AS epoch FROM differing WHERE points_after IS NULL GROUP BY player) gone
    WHERE p.id = gone.player
),
noted AS (
    INSERT INTO scoring_correctedtotal
        (correction_id, player_id, period_id, points_before, accept_no_before, points_after, accept_no_after)
    SELECT %(correction_id)s, player, period_id, points_before, accept_no_before, points_after, accept_no_after
    FROM differing
)
SELECT player, period_id, points_before, points_after, accept_no_after FROM differing
