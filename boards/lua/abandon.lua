-- abandon: a rebuild gives up; the live board stays as it is.
--
-- KEYS  1 staging board, 2 rebuild lease, 3 staging details; all in one slot
-- ARGV  1 the rebuild's own token
-- gives nothing
-- O(1). Repeatable: what belongs to another rebuild is not touched.
local holder = redis.call('GET', KEYS[2])
if not holder or holder == ARGV[1] then
  redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
end
