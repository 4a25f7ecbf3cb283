-- is_there: whether a key exists.
--
-- KEYS  1 the key
-- gives 1 or 0
-- O(1)
return redis.call('EXISTS', KEYS[1])
