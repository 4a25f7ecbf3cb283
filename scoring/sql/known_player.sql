-- Whether a player is known. Of the index alone.
        SELECT id, merged_into_id, false AS differs
        FROM scoring_player
        WHERE player_id = i.player_id
