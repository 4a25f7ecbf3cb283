-- forget_player: no trace of an erased player is left with a board.
--
-- KEYS  1 live board, 2 staging board, 3 fence, 4 rebuild lease, 5 details, 6 staging details, 7 previous ranks,
--       8 those being filled in; all in one slot
-- ARGV  1 player id, 2 the epoch with which a new player of this id begins
-- gives 1 if the board knew the player, else 0
--
-- Without a fence the board would take what was read before: only once nobody can hold such a thing any more. A fence at that
-- epoch or above is somebody else's by now. O(log N). Repeatable.
local live, staging, fence, _, details, staging_details, previous, staging_previous = unpack(KEYS)
-- A previous rank may be of either: it is missing until the next snapshot rather than somebody else's.
redis.call('HDEL', previous, ARGV[1])
redis.call('HDEL', staging_previous, ARGV[1])
local seen = redis.call('HGET', fence, ARGV[1])
if not seen or tonumber(seen) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('ZREM', live, ARGV[1])
redis.call('ZREM', staging, ARGV[1])
redis.call('HDEL', fence, ARGV[1])
redis.call('HDEL', details, ARGV[1])
redis.call('HDEL', staging_details, ARGV[1])
return 1
