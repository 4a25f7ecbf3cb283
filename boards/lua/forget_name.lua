-- forget_name: a player's display name is gone, unless it is a newer one than meant.
--
-- KEYS  1 hash of names, 2 the copy that is being filled, if one is
-- ARGV  1 player id, 2 version
-- gives 1 if there was a name below that version, else 0
-- O(1). Repeatable.
local found = 0
for _, key in ipairs(KEYS) do
  local stored = redis.call('HGET', key, ARGV[1])
  if stored and tonumber(string.match(stored, '^(%d+):')) < tonumber(ARGV[2]) then
    redis.call('HDEL', key, ARGV[1])
    found = 1
  end
end
return found
