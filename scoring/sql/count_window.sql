-- count_window: about how many players a board of a custom window has: as many as the fullest of its newest days.
-- Takes  leaderboard_id, first_label, last_label: its days; newest: how many of them to look at; segment, value: whose board it
--        is; segment null for everybody's.
-- Gives  one row: the number, 0 if nobody has scored.
WITH day AS (
    /*days*/
    ORDER BY label DESC
    LIMIT %(newest)s
)
SELECT coalesce(max(c.players), 0)
FROM day
CROSS JOIN LATERAL (
    SELECT count(*) AS players
    FROM scoring_total t
    WHERE t.period_id = day.id
        AND (
            %(segment)s::text IS NULL
            OR EXISTS (
                SELECT FROM scoring_player p
                WHERE p.id = t.player_id AND p.segments ->> %(segment)s::text = %(value)s::text
            )
        )
) c
