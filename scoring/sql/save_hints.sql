-- save_hints: hints of some players, made from their latest events.
-- Takes  players, leaderboards: arrays of one length; computed_at; read, latest, best, others: how many rows are looked at;
--        enough: how many events there must be to tell a habit from luck; longest_pause: an interval, more between two
--        events counts as so much: whoever comes back after a week has not been playing since.
-- Gives  one row: how many hints were written.
--
-- Reads at most read + best * others rows of the ledger for each player, however many events there are.
WITH wanted AS MATERIALIZED (
    SELECT
        w.player, w.leaderboard,
        power(10, l.scale) AS unit,
        CASE l."order" WHEN 'low' THEN -1 ELSE 1 END AS direction,
        l.operator = 'add' AS adds_up,
        l.min_points * power(10, l.scale) AS least,
        l.max_points * power(10, l.scale) AS most
    FROM unnest(%(players)s::bigint[], %(leaderboards)s::bigint[]) AS w (player, leaderboard)
    JOIN scoring_leaderboard l ON l.id = w.leaderboard
),
-- The ledger only grows, and equal keys of the index lie in the order of their rows: from its end come the newest, without
-- reading the others. Nearly: a row may take the place of one that was rolled back; so more are read than are wanted.
-- A comparison of pairs, since for two equalities the planner sees no order to keep.
event AS MATERIALIZED (
    SELECT w.player, w.leaderboard, w.direction, e.match_id, e.points, e.occurred_at
    FROM wanted w
    CROSS JOIN LATERAL (
        SELECT *
        FROM (
            SELECT match_id, points, occurred_at, voided_at, accept_no
            FROM scoring_scoreevent
            WHERE (player_id, leaderboard_id) >= (w.player, w.leaderboard)
                AND (player_id, leaderboard_id) <= (w.player, w.leaderboard)
            ORDER BY player_id DESC, leaderboard_id DESC
            LIMIT %(read)s
        ) last_written
        ORDER BY accept_no DESC
        LIMIT %(latest)s
    ) e
    WHERE e.voided_at IS NULL AND e.match_id NOT LIKE 'correction:%%'
),
habit AS (
    SELECT
        player, leaderboard, count(*) AS events, sum(points) AS points,
        -- The first event has no pause before it, and least() would take the other.
        greatest(
            extract(epoch FROM sum(least(pause, %(longest_pause)s)) FILTER (WHERE pause IS NOT NULL)) / 60, 1
        ) AS minutes
    FROM (
        SELECT *, occurred_at - lag(occurred_at) OVER (PARTITION BY player, leaderboard ORDER BY occurred_at) AS pause
        FROM event
    ) paced
    GROUP BY player, leaderboard
),
feat AS (
    SELECT b.player, b.leaderboard, max((b.points - rest.points) * b.direction) AS lead
    FROM (
        SELECT *, row_number() OVER (PARTITION BY player, leaderboard ORDER BY points * direction DESC) AS place
        FROM event
    ) b
    -- A sample, that costs the same for a match of 300,000.
    CROSS JOIN LATERAL (
        SELECT avg(points) AS points
        FROM (
            SELECT points
            FROM scoring_scoreevent
            WHERE leaderboard_id = b.leaderboard AND match_id = b.match_id
                AND player_id <> b.player AND voided_at IS NULL
            ORDER BY player_id
            LIMIT %(others)s
        ) sample
    ) rest
    WHERE b.place <= %(best)s
    GROUP BY b.player, b.leaderboard
),
saved AS (
    INSERT INTO scoring_hint AS h
        (player_id, leaderboard_id, lead_in_match, share_of_max, points_per_minute, event_count, computed_at)
    SELECT
        w.player, w.leaderboard,
        feat.lead / w.unit,
        CASE WHEN habit.events >= %(enough)s AND w.most > w.least THEN
            (habit.points / habit.events - CASE w.direction WHEN 1 THEN w.least ELSE w.most END)
                / (w.most - w.least) * w.direction
        END,
        CASE WHEN habit.events >= %(enough)s AND w.adds_up THEN
            habit.points / habit.minutes / w.unit * w.direction
        END,
        coalesce(habit.events, 0),
        %(computed_at)s
    FROM wanted w
    LEFT JOIN habit USING (player, leaderboard)
    LEFT JOIN feat USING (player, leaderboard)
    ORDER BY w.player, w.leaderboard
    ON CONFLICT (player_id, leaderboard_id) DO UPDATE SET
        lead_in_match = excluded.lead_in_match,
        share_of_max = excluded.share_of_max,
        points_per_minute = excluded.points_per_minute,
        event_count = excluded.event_count,
        computed_at = excluded.computed_at
    WHERE h.computed_at <= excluded.computed_at
    RETURNING true
)
SELECT count(*) FROM saved
