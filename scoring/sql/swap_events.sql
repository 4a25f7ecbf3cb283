-- swap_events: two accounts change places in these matches of theirs; each event stays what it is.
-- Takes  one, other (primary keys); leaderboard_ids, match_ids: arrays of one length.
-- Gives  nothing. The rows keep their keys and exchange all else, since a key can't be taken before it is free.
WITH swapped AS (
    UPDATE scoring_scoreevent a
    SET points = b.points,
        accept_no = b.accept_no,
        occurred_at = b.occurred_at,
        accepted_at = b.accepted_at,
        details = b.details,
        voided_at = b.voided_at
    FROM unnest(%(leaderboard_ids)s::bigint[], %(match_ids)s::text[]) AS m (leaderboard_id, match_id)
    JOIN scoring_scoreevent b USING (leaderboard_id, match_id)
    WHERE a.leaderboard_id = m.leaderboard_id AND a.match_id = m.match_id
        AND (a.player_id, b.player_id) IN ((%(one)s, %(other)s), (%(other)s, %(one)s))
    RETURNING true
)
SELECT count(*) FROM swapped
