-- prune_outbox: delete what has served its time among the next outbox events, in the order of their numbers.
-- Takes  after: the number of the last event looked at, 0 to begin; events: how many to look at;
--        applied_before: what was applied later is kept.
-- Gives  one row: the last number looked at (null: there are no more), how many were looked at, how many deleted, how many of
--        them were written before that moment. Where none was, everything behind is newer still.
-- Never deletes what waits, what was set aside, or corrections that were not applied a second time.
WITH looked_at AS MATERIALIZED (
    SELECT id, created_at, applied_at, queue, confirmed_at
    FROM scoring_outboxevent
    WHERE id > %(after)s
    ORDER BY id
    LIMIT %(events)s
),
deleted AS (
    DELETE FROM scoring_outboxevent e
    USING looked_at
    WHERE e.id = looked_at.id AND looked_at.applied_at < %(applied_before)s
        AND (looked_at.queue <> 'corrections' OR looked_at.confirmed_at IS NOT NULL)
        -- Once more of the row as it is by then: an operator may have sent it again meanwhile.
        AND e.applied_at IS NOT NULL
    RETURNING 1
)
SELECT
    max(id), count(*), (SELECT count(*) FROM deleted), count(*) FILTER (WHERE created_at < %(applied_before)s)
FROM looked_at
