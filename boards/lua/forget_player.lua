-- forget_player: no trace of a player is left with a board.
--
-- KEYS  1 live board, 2 staging board, 3 fence, 4 rebuild lease, 5 details, 6 staging details; all in one slot
-- ARGV  1 player id
-- gives in how many of them the player was found
--
-- Without a fence the board would take what was read before: only once nobody can hold such a thing any more.
-- O(log N). Repeatable.
local live, staging, fence, _, details, staging_details = unpack(KEYS)
return redis.call('ZREM', live, ARGV[1]) + redis.call('ZREM', staging, ARGV[1]) + redis.call('HDEL', fence, ARGV[1])
  + redis.call('HDEL', details, ARGV[1]) + redis.call('HDEL', staging_details, ARGV[1])
