    -- The fold has looked at the total already; nobody else changes it meanwhile.
    SET points = excluded.points,
        accept_no = excluded.accept_no,
        epoch = t.epoch + excluded.epoch,
        occurred_at = excluded.occurred_at,
        details = excluded.details
