-- find_events: what the ledger has under these (match, player) keys of one leaderboard.
-- Takes  leaderboard_id; indexes, match_ids, players: arrays of one length.
-- Gives  index, points, accept_no for each that is there.
SELECT i.index, e.points, e.accept_no
FROM unnest(%(indexes)s::int[], %(match_ids)s::text[], %(players)s::bigint[]) AS i (index, match_id, player)
CROSS JOIN LATERAL (
    SELECT *
    FROM scoring_scoreevent
    WHERE leaderboard_id = %(leaderboard_id)s AND match_id = i.match_id AND player_id = i.player
    OFFSET 0
) e
