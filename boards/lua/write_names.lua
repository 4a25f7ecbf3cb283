-- write_names: display names of players, the newest version wins whoever comes last.
--
-- KEYS  1 the hash of names
-- ARGV  triples: player id, version, name
-- gives nothing
for i = 1, #ARGV, 3 do
  local stored = redis.call('HGET', KEYS[1], ARGV[i])
  local version = stored and tonumber(string.match(stored, '^(%d+):')) or 0
  if tonumber(ARGV[i + 1]) >= version then
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1] .. ':' .. ARGV[i + 2])
  end
end
