-- find_settled_events: the next slice of the outbox for hints.
-- Takes  after_event; settled_at: only events written before; player_limit: how many ids the slice may name.
-- Gives  one row: the id of the slice's last event, null if there is none. An event with more ids is a slice by itself.
SELECT max(id)
FROM (
    SELECT
        id,
        sum(player_count) OVER (ORDER BY id) - player_count AS before,
        bool_and(created_at < %(settled_at)s) OVER (ORDER BY id) AS settled
    FROM (
        SELECT id, player_count, created_at
        FROM scoring_outboxevent
        WHERE id > %(after_event)s
        ORDER BY id
        LIMIT 5000
    ) next
) numbered
WHERE settled AND before < %(player_limit)s
