    -- A worse or equal later attempt changes nothing. Only rises within an epoch: more points, or as many but earlier.
    SET points = excluded.points, accept_no = excluded.accept_no
    WHERE excluded.points > t.points OR (excluded.points = t.points AND excluded.accept_no < t.accept_no)
