-- note_recovering: which boards are not yet again what they were before Redis lost data.
--
-- KEYS  1 set of board ids
-- ARGV  1 seconds after which this is forgotten, unless it is said again; then board ids, or * for all; none: it is over
-- gives nothing
-- O(n). Repeatable.
redis.call('UNLINK', KEYS[1])
for first = 2, #ARGV, 4000 do
  redis.call('SADD', KEYS[1], unpack(ARGV, first, math.min(first + 3999, #ARGV)))
end
if #ARGV > 1 then
  redis.call('EXPIRE', KEYS[1], ARGV[1])
end
