-- digest_totals: what tells whether a period's totals have changed.
-- Takes  period_id.
-- Gives  one text. Whatever counts moves the points, the newest number, the epochs or how many totals there are.
SELECT concat_ws(':', count(*), sum(points), sum(epoch), max(accept_no), max(occurred_at))
FROM scoring_total
WHERE period_id = %(period_id)s::bigint
