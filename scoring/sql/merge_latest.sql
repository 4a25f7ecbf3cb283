    -- The fold has looked at the total already; nobody else changes it meanwhile.
    SET points = excluded.points,
        room = NULL,
        accept_no = excluded.accept_no,
        -- Other details for the same score: the epoch tells which row is the newer one.
        epoch = t.epoch + greatest(
            excluded.epoch,
            (excluded.accept_no = t.accept_no AND excluded.details IS DISTINCT FROM t.details)::int
        ),
        occurred_at = excluded.occurred_at,
        details = excluded.details
