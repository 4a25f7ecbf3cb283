        -- Of each player those after the snapshot; all of them, if corrections have been at what it stands for.
        SELECT e.*
        FROM wanted
        LEFT JOIN unnest(%(corrected)s::bigint[]) AS corrected (id) USING (id)
        CROSS JOIN LATERAL (
            SELECT *
            FROM scoring_scoreevent
            WHERE player_id = wanted.id AND (accept_no > %(cut_accept_no)s OR corrected.id IS NOT NULL)
            OFFSET 0
        ) e
