-- load_scopes: whose boards a period has, or may have had: every scope that a player with a total is or was in.
-- Takes  period_id; segments: the names that the leaderboard ranks.
-- Gives  one scope a row, such as city:hyd, each once. Reads every total of the period.
SELECT DISTINCT scope
FROM scoring_total t
JOIN scoring_player p ON p.id = t.player_id
CROSS JOIN LATERAL (
    SELECT name || ':' || (p.segments ->> name) AS scope
    FROM unnest(%(segments)s::text[]) AS name
    WHERE p.segments ? name
    UNION ALL
    SELECT former
    FROM unnest(p.former_scopes) AS former
    WHERE split_part(former, ':', 1) = ANY (%(segments)s::text[])
) s
WHERE t.period_id = %(period_id)s
