-- begin_names: from now on every name is written to a copy too.
--
-- KEYS  1 the copy
-- ARGV  1 the filler's own token, 2 seconds that the copy lives, should nobody finish it
-- gives nothing
--
-- The token stands under a player id that nobody can have, and makes the empty copy exist.
-- O(1). Repeatable: a copy that is ours stays as it is, another one goes.
if redis.call('HGET', KEYS[1], '') ~= ARGV[1] then
  redis.call('UNLINK', KEYS[1])
  redis.call('HSET', KEYS[1], '', ARGV[1])
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
