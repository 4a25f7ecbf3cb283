-- sample_totals: some players of a period, drawn at random.
-- Takes  period_id; draws: how many places to look at.
-- Gives  player_id, segments (text), fewer than `draws` where two places fell on the same player.
-- A place is a primary key between the lowest and the highest; the next player with a total is taken. So who comes after a gap
-- is drawn more often, which is fair enough to notice drift, at a few index look-ups a draw.
WITH bounds AS MATERIALIZED (
    SELECT
        (SELECT min(player_id) FROM scoring_total WHERE period_id = %(period_id)s) AS lowest,
        (SELECT max(player_id) FROM scoring_total WHERE period_id = %(period_id)s) AS highest
),
drawn AS MATERIALIZED (
    SELECT lowest + floor(random() * (highest - lowest + 1))::bigint AS place
    FROM bounds
    CROSS JOIN generate_series(1, %(draws)s::int)
    WHERE lowest IS NOT NULL
)
SELECT DISTINCT p.player_id, p.segments::text
FROM drawn
CROSS JOIN LATERAL (
    SELECT player_id
    FROM scoring_total
    WHERE period_id = %(period_id)s AND player_id >= drawn.place
    ORDER BY player_id
    LIMIT 1
) t
CROSS JOIN LATERAL (SELECT * FROM scoring_player WHERE id = t.player_id OFFSET 0) p
