        -- The same for so many players that one pass through all there is after the snapshot costs less than a look-up each:
        -- a look-up finds a player's older events too.
        SELECT e.*
        FROM (
            SELECT * FROM scoring_scoreevent WHERE leaderboard_id = %(leaderboard_id)s AND accept_no > %(cut_accept_no)s OFFSET 0
        ) e
        JOIN wanted ON wanted.id = e.player_id
        WHERE e.player_id <> ALL (%(corrected)s::bigint[])
        UNION ALL
        SELECT e.*
        FROM unnest(%(corrected)s::bigint[]) AS corrected (id)
        JOIN wanted USING (id)
        CROSS JOIN LATERAL (SELECT * FROM scoring_scoreevent WHERE player_id = wanted.id OFFSET 0) e
