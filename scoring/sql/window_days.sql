-- The days of a custom window that somebody has scored on. Labels of days sort as the days do.
    SELECT id, label, first_accept_no
    FROM scoring_period
    WHERE leaderboard_id = %(leaderboard_id)s AND kind = 'day' AND label BETWEEN %(first_label)s AND %(last_label)s
