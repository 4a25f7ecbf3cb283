-- keep_window: a custom window that is being built stays listed, whether somebody asks for it meanwhile or not.
--
-- KEYS  1 the list: board ids by when they leave it
-- ARGV  1 board id, 2 when it leaves the list, in milliseconds
-- gives nothing
-- O(log n). Repeatable.
redis.call('ZADD', KEYS[1], 'GT', ARGV[2], ARGV[1])
