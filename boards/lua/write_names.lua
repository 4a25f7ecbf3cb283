-- write_names: display names of players, the newest version wins whoever comes last.
--
-- KEYS  1 the hash of names, 2 the copy that is being filled, if one is
-- ARGV  triples: player id, version, name
-- gives 1 if a copy is being filled: it gets the names too; else 0
local function write(key)
  for i = 1, #ARGV, 3 do
    local stored = redis.call('HGET', key, ARGV[i])
    local version = stored and tonumber(string.match(stored, '^(%d+):')) or 0
    if tonumber(ARGV[i + 1]) >= version then
      redis.call('HSET', key, ARGV[i], ARGV[i + 1] .. ':' .. ARGV[i + 2])
    end
  end
end
write(KEYS[1])
local filling = redis.call('EXISTS', KEYS[2])
if filling == 1 then
  write(KEYS[2])
end
return filling
