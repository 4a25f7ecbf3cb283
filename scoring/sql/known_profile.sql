-- Whether a player is known, and has the name and the segments that the score tells.
        SELECT
            id, merged_into_id,
            merged_into_id IS NULL
                AND (
                    coalesce(i.name <> name, false)
                    OR coalesce(jsonb_strip_nulls(segments || i.segments) <> segments, false)
                ) AS differs
        FROM scoring_player
        WHERE player_id = i.player_id
