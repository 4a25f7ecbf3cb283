-- add_reads: reads of boards, added to their heats.
-- Takes  boards, reads: arrays of one length; age: the present in half-lives.
-- Gives  nothing. Locks rows in the order of boards, so that processes wait for each other but never in a circle.
-- A heat is a logarithm: log2(2^a + 2^b) is the larger one + log2(1 + 2^-difference).
INSERT INTO boards_boardreads AS b (board, heat)
SELECT new.board, %(age)s::float8 + ln(new.reads) / ln(2::float8)
FROM unnest(%(boards)s::text[], %(reads)s::float8[]) AS new (board, reads)
ORDER BY new.board
ON CONFLICT (board) DO UPDATE
SET heat = greatest(b.heat, excluded.heat)
    -- A power that is too small to be a number is an error.
    + ln(1 + power(2::float8, -least(abs(b.heat - excluded.heat), 1000))) / ln(2::float8)
