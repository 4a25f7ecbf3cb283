-- list_windows: the custom windows that are there or asked for.
--
-- KEYS  1 the list: board ids by when they leave it
-- ARGV  1 the least time of leaving it, in milliseconds
-- gives board ids
-- O(log n + m)
return redis.call('ZRANGEBYSCORE', KEYS[1], ARGV[1], '+inf')
