    -- Commutative, so that concurrent batches end at the fold of the ledger in whichever order they commit.
    -- `points = 0 AND occurred_at IS NULL` means that no event has moved this total yet: an epoch may also begin with a
    -- first number.
    SET points = t.points + excluded.points,
        room = NULL,
        accept_no = CASE
            WHEN excluded.points = 0 AND excluded.occurred_at IS NULL THEN least(t.accept_no, excluded.accept_no)
            WHEN t.points = 0 AND t.occurred_at IS NULL THEN excluded.accept_no
            ELSE greatest(t.accept_no, excluded.accept_no)
        END,
        -- An earlier first number lowers the score where the newest wins a tie, and leaves it where ties share a rank:
        -- either way the epoch tells which row is the newer one.
        epoch = t.epoch + excluded.epoch
            + CASE WHEN excluded.points = 0 AND excluded.occurred_at IS NULL THEN %(earlier_is_epoch)s ELSE 0 END,
        occurred_at = least(t.occurred_at, excluded.occurred_at),
        details = CASE
            WHEN excluded.points = 0 AND excluded.occurred_at IS NULL
                OR t.points = 0 AND t.occurred_at IS NULL
                OR excluded.accept_no > t.accept_no
            THEN excluded.details
            ELSE t.details
        END
    WHERE excluded.points <> 0
        OR excluded.occurred_at IS NOT NULL
        OR (t.points = 0 AND t.occurred_at IS NULL AND excluded.accept_no < t.accept_no)
