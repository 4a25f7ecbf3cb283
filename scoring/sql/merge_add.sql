    -- Commutative, so that concurrent batches end at the fold of the ledger in whichever order they commit.
    -- `points = 0 AND epoch = 0` means that no event has moved this total yet.
    SET points = t.points + excluded.points,
        accept_no = CASE
            WHEN excluded.points = 0 AND excluded.epoch = 0 THEN least(t.accept_no, excluded.accept_no)
            WHEN t.points = 0 AND t.epoch = 0 THEN excluded.accept_no
            ELSE greatest(t.accept_no, excluded.accept_no)
        END,
        -- An earlier first number lowers the score where the newest wins a tie, and leaves it where ties share a rank:
        -- either way the epoch tells which row is the newer one.
        epoch = t.epoch + excluded.epoch
            + CASE WHEN excluded.points = 0 AND excluded.epoch = 0 THEN %(earlier_is_epoch)s ELSE 0 END,
        details = CASE
            WHEN excluded.points = 0 AND excluded.epoch = 0
                OR t.points = 0 AND t.epoch = 0
                OR excluded.accept_no > t.accept_no
            THEN excluded.details
            ELSE t.details
        END
    WHERE excluded.points <> 0
        OR excluded.epoch <> 0
        OR (t.points = 0 AND t.epoch = 0 AND excluded.accept_no < t.accept_no)
