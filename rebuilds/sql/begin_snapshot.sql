-- begin_snapshot: the cut. The first statement of its transaction, which sees from then on what is committed at this moment.
-- Takes  nothing. The caller holds the leaderboard's ledger: nobody has a number of it that is not committed.
-- Gives  one row: the last acceptance number that was given out; the last correction; those that are not finished.
SELECT
    (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM scoring_accept_no),
    (SELECT coalesce(max(id), 0) FROM scoring_correction),
    ARRAY(SELECT id FROM scoring_correction WHERE finished_at IS NULL ORDER BY id)
