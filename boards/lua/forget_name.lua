-- forget_name: a player's display name is gone, unless it is a newer one than meant.
--
-- KEYS  1 hash of names
-- ARGV  1 player id, 2 version
-- gives 1 if there was a name below that version, else 0
-- O(1). Repeatable.
local stored = redis.call('HGET', KEYS[1], ARGV[1])
if stored and tonumber(string.match(stored, '^(%d+):')) < tonumber(ARGV[2]) then
  return redis.call('HDEL', KEYS[1], ARGV[1])
end
return 0
