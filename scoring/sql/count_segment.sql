-- count_segment: how many players with one value of a segment have a total in a period.
-- Takes  period_id, segment, value.
-- Gives  one number. An index look-up for each player of the segment; joined freely, all totals of the period would be read.
SELECT count(*)
FROM (
    SELECT id FROM scoring_player WHERE segments @> jsonb_build_object(%(segment)s::text, %(value)s::text) OFFSET 0
) p
CROSS JOIN LATERAL (SELECT FROM scoring_total WHERE period_id = %(period_id)s AND player_id = p.id OFFSET 0) t
