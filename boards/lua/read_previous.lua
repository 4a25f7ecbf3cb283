-- read_previous: of which snapshot a board's previous ranks are.
--
-- KEYS  1 previous ranks
-- gives its number, or nil
-- O(1)
return redis.call('HGET', KEYS[1], '')
