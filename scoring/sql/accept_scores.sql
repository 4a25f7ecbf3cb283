-- accept_scores: scores of ONE leaderboard into ledger, totals of every period and outbox, in one statement.
--
-- Takes  player_ids, match_ids, points: the scores, as arrays of one length. No (match, player) occurs twice.
--        occurred_ats, names, segments, details: likewise, null where the score says nothing of them; each may be an empty
--        array. What says no time of its own happened when it was accepted.
--        window_sets: likewise, null for 0. A window set is the set of periods that a score counts in.
--        set_numbers, set_groups: the period groups of each window set, as pairs; group_numbers, group_periods: the periods
--        of each group. A group's periods are those that the same window sets hold, so that scores are added up once for
--        all of them.
--        leaderboard_id, accepted_at; direction, 1 or -1: points times it are higher when they are better;
--        earlier_is_epoch, 1 where an earlier number for the same points does not raise the packed score, else 0;
--        min_total, max_total, last_accept_no (null: any): what the boards can show;
--        with_totals: whether to tell the totals that this leaves, as far as it knows them;
--        fails_beyond: whether totals beyond the limits are an error (division by zero): for a caller who has sent the end of
--        the transaction along, and can't roll back any more.
-- Gives  one row of arrays, null for none: rows cost the client a microsecond a score.
--        index from 0, player, accept_no, accepted of each score; accepted is false for a (match, player) that the ledger has
--        already. All of these are null if nothing is written, see below.
--        profile_differs: whether a player is not known yet or sent with another profile.
--        window_set: those with a sealed period.
--        player, period_id, points, is_beyond, fits of totals that this leaves: with_totals all that were written or looked at,
--        else only those for which is_beyond: they are beyond the limits, and the caller must roll back. If their points fit
--        all the same, it is the number that does not.
--
-- If a player is unknown, or sent with another name or segments than stored, nothing is written at all: the caller
-- saves profiles first and comes again. So player rows are always locked before ledger and totals.
--
-- Nor if a period is sealed, since its final standings are being computed: whoever has let the score count has looked at the
-- clock long ago. The caller refuses the scores of its window sets, and comes again. An end or a grace that was moved since
-- opens the period once more.
--
-- Scores for an account that was merged into another are that one's, whose profile stays what it is.
--
-- Locks: ledger rows by (match, player), then totals by (player, period), the same order for everyone: overlapping
-- batches wait for each other but never in a circle.
WITH item AS MATERIALIZED (
    SELECT
        i.number - 1 AS index, coalesce(p.merged_into_id, p.id) AS player, i.match_id, i.points,
        coalesce(i.occurred_at, %(accepted_at)s) AS occurred_at, coalesce(i.window_set, 0) AS window_set, i.details,
        coalesce(p.differs, true) AS profile_differs
    FROM unnest(
        %(player_ids)s::text[], %(match_ids)s::text[], %(points)s::bigint[], %(occurred_ats)s::timestamptz[],
        %(window_sets)s::int[], %(names)s::text[], %(segments)s::jsonb[], %(details)s::jsonb[]
    ) WITH ORDINALITY AS i (player_id, match_id, points, occurred_at, window_set, name, segments, details, number)
    LEFT JOIN LATERAL (
        /*known*/
        OFFSET 0
    ) p ON true
    ORDER BY i.number
),
sealed AS MATERIALIZED (
    SELECT DISTINCT s.window_set
    FROM unnest(%(set_numbers)s::int[], %(set_groups)s::int[]) AS s (window_set, period_group)
    JOIN unnest(%(group_numbers)s::int[], %(group_periods)s::int[]) AS g (period_group, period_id) USING (period_group)
    CROSS JOIN LATERAL (SELECT * FROM scoring_period WHERE id = g.period_id OFFSET 0) p
    WHERE p.sealed_at >= p.ends_at + (
        SELECT grace_seconds * interval '1 second' FROM scoring_leaderboard WHERE id = %(leaderboard_id)s
    )
),
-- Numbered in the order of the batch: earlier items get smaller numbers.
numbered AS MATERIALIZED (
    SELECT item.*, nextval('scoring_accept_no') AS accept_no
    FROM item
    WHERE NOT EXISTS (SELECT FROM item WHERE profile_differs) AND NOT EXISTS (SELECT FROM sealed)
),
event AS (
    INSERT INTO scoring_scoreevent
        (leaderboard_id, match_id, player_id, points, accept_no, occurred_at, accepted_at, details)
    SELECT %(leaderboard_id)s, match_id, player, points, accept_no, occurred_at, %(accepted_at)s, details
    FROM numbered
    -- The number last: of one match under two ids of a merged account, the first is taken.
    ORDER BY match_id, player, accept_no
    ON CONFLICT (leaderboard_id, match_id, player_id) DO NOTHING
    RETURNING accept_no
),
accepted AS MATERIALIZED (
    SELECT n.player, n.points, n.accept_no, n.occurred_at, s.period_group
    FROM event
    JOIN numbered n USING (accept_no)
    JOIN unnest(%(set_numbers)s::int[], %(set_groups)s::int[]) AS s (window_set, period_group) USING (window_set)
),
-- The operator's own part: period_id, player, points, accept_no, epoch, occurred_at, and event_no, the number of the event
-- that details are taken from; unmoved, the points of a total that was looked at and is left as it is, else null.
fold AS (
    /*fold*/
),
total AS (
    INSERT INTO scoring_total AS t (period_id, player_id, points, accept_no, epoch, occurred_at, details)
    SELECT f.period_id, f.player, f.points, f.accept_no, f.epoch, f.occurred_at, n.details
    FROM fold f
    JOIN numbered n ON n.accept_no = f.event_no
    WHERE f.unmoved IS NULL
    ORDER BY f.player, f.period_id
    ON CONFLICT (player_id, period_id) DO UPDATE
    -- The operator's own part. A row that is raised gives up its room (see migration 0010).
    /*merge*/
    RETURNING t.period_id, t.player_id, t.points, t.accept_no, t.epoch = 0 AND t.details IS NULL AS is_plain
),
-- Whose totals moved, and in which periods; an answer worth nothing moves none. With the totals themselves, if all of the
-- players have one in each of the periods; null for those whose row must be read (see OutboxEvent).
outbox AS (
    INSERT INTO scoring_outboxevent
        (queue, player_ids, player_count, period_ids, points, accept_nos, names_changed, created_at, attempts, problem)
    SELECT
        'live', players, cardinality(players), periods,
        CASE WHEN is_full THEN points END, CASE WHEN is_full THEN accept_nos END, false, %(accepted_at)s, 0, ''
    FROM (
        SELECT *, cardinality(points) = cardinality(players) * cardinality(periods) AS is_full
        FROM (
            SELECT
                ARRAY(SELECT DISTINCT player_id FROM total ORDER BY player_id) AS players,
                ARRAY(SELECT DISTINCT period_id FROM total ORDER BY period_id) AS periods
        ) moved
        CROSS JOIN (
            SELECT array_agg(CASE WHEN is_plain THEN points END) AS points, array_agg(accept_no) AS accept_nos
            FROM (SELECT * FROM total ORDER BY period_id, player_id) t
        ) carried
        OFFSET 0  -- gathered once, not at each mention
    ) moved
    WHERE players <> '{}'
)
SELECT scores.*, (SELECT bool_or(profile_differs) FROM item), (SELECT array_agg(window_set) FROM sealed), totals.*
FROM (
    SELECT array_agg(n.index), array_agg(n.player), array_agg(n.accept_no), array_agg(event.accept_no IS NOT NULL)
    FROM numbered n
    LEFT JOIN event USING (accept_no)
) scores
CROSS JOIN (
    SELECT array_agg(player_id), array_agg(period_id), array_agg(points), array_agg(is_beyond), array_agg(fits)
    FROM (
        SELECT *
        FROM (
            SELECT
                player_id, period_id, points,
                points NOT BETWEEN %(min_total)s AND %(max_total)s
                    OR coalesce(accept_no > %(last_accept_no)s::bigint, false) AS is_beyond,
                points BETWEEN %(min_total)s AND %(max_total)s AS fits
            FROM total
        ) moved
        -- Hangs on a row, so that no planner works it out in advance.
        WHERE (is_beyond OR %(with_totals)s) AND 1 / (NOT (is_beyond AND %(fails_beyond)s))::int = 1
        UNION ALL
        SELECT player, period_id, unmoved, false, true
        FROM fold
        WHERE unmoved IS NOT NULL AND %(with_totals)s
    ) told
) totals
