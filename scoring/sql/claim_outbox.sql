-- claim_outbox: lease waiting outbox events of one queue, oldest first.
-- Takes  queue, now, leased_until, event_limit;
--        room: how many players may be under way at once. What is leased and not applied yet counts against it, so that
--        a slow consumer meets a short queue of fresh leases rather than a long one that has run out.
-- Gives  id, player count. Events that another relay is just claiming are skipped, not waited for.
WITH under_way AS (
    SELECT coalesce(sum(player_count), 0) AS players
    FROM scoring_outboxevent
    WHERE queue = %(queue)s AND applied_at IS NULL AND set_aside_at IS NULL AND leased_until > %(now)s
),
ready AS (
    SELECT id
    FROM scoring_outboxevent
    WHERE queue = %(queue)s AND applied_at IS NULL AND set_aside_at IS NULL
        AND (leased_until IS NULL OR leased_until <= %(now)s)
        AND (SELECT players FROM under_way) < %(room)s
    ORDER BY id
    LIMIT %(event_limit)s
    FOR UPDATE SKIP LOCKED
)
UPDATE scoring_outboxevent e
SET leased_until = %(leased_until)s, attempts = e.attempts + 1
FROM ready
WHERE e.id = ready.id
RETURNING e.id, e.player_count
