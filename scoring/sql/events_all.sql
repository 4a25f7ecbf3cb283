        SELECT e.*
        FROM wanted
        CROSS JOIN LATERAL (SELECT * FROM scoring_scoreevent WHERE player_id = wanted.id OFFSET 0) e
