-- find_stale_hints: whose hints are older than what a slice of the outbox says moved.
-- Takes  after_event, last_event: the slice, half-open at its start; margin: an interval that clocks may differ by.
-- Gives  player, leaderboard: of those that have events there, in that order.
-- A hint made after an event was written has seen it already: a player who scores every few seconds is looked at once
-- for all of them.
WITH moved AS (
    SELECT m.player, p.leaderboard_id AS leaderboard, max(o.created_at) AS moved_at
    FROM scoring_outboxevent o
    CROSS JOIN LATERAL unnest(o.player_ids) AS m (player)
    CROSS JOIN LATERAL (
        SELECT DISTINCT leaderboard_id FROM scoring_period WHERE id = ANY (o.period_ids)
        UNION
        -- Whatever periods the player has: so wherever he was seen before.
        SELECT leaderboard_id FROM scoring_hint WHERE o.period_ids IS NULL AND player_id = m.player
    ) p
    WHERE o.id > %(after_event)s AND o.id <= %(last_event)s
    GROUP BY m.player, p.leaderboard_id
)
SELECT m.player, m.leaderboard
FROM moved m
LEFT JOIN LATERAL (
    SELECT * FROM scoring_hint WHERE player_id = m.player AND leaderboard_id = m.leaderboard OFFSET 0
) h ON true
WHERE h.computed_at < m.moved_at + %(margin)s::interval
    OR h.player_id IS NULL AND EXISTS (
        SELECT FROM scoring_scoreevent WHERE player_id = m.player AND leaderboard_id = m.leaderboard OFFSET 0
    )
ORDER BY m.player, m.leaderboard
