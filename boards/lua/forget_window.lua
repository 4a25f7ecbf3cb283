-- forget_window: no trace of an erased player is left with a custom window.
--
-- KEYS  1 live board, 2 staging board, 3 fence; all in one slot
-- ARGV  1 player id
-- gives 1 if the window knew the player, else 0
--
-- Without a fence the window would take what was read before: only once nobody can hold such a thing any more. Whoever is on the
-- board under this id is somebody else by now. O(1). Repeatable.
local live, staging, fence = unpack(KEYS)
if redis.call('ZSCORE', live, ARGV[1]) or redis.call('ZSCORE', staging, ARGV[1]) then
  return 0
end
return redis.call('HDEL', fence, ARGV[1])
