    -- A worse or an equal later attempt changes nothing. Commutative: better points win, of equal ones the earlier.
    SET points = excluded.points,
        room = NULL,
        accept_no = excluded.accept_no,
        details = excluded.details,
        -- An earlier number for equal points lowers the score where the newest wins a tie, and leaves it where ties share
        -- a rank: either way the epoch tells which row is the newer one.
        epoch = t.epoch + CASE WHEN excluded.points = t.points THEN %(earlier_is_epoch)s ELSE 0 END
    WHERE excluded.points * %(direction)s > t.points * %(direction)s
        OR (excluded.points = t.points AND excluded.accept_no < t.accept_no)
