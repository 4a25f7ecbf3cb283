-- begin_previous: a copy of a board's previous ranks is going to be filled in from a snapshot.
--
-- KEYS  1 previous ranks, 2 the copy; in one slot
-- ARGV  1 the snapshot's number, 2 milliseconds that the copy lives from its last write
--       3 milliseconds for which nobody else goes on with one that somebody writes
-- gives 1 if the copy may be filled in, or is shown already; 0 if not: newer ones are there, or somebody is at it
--
-- Both hashes have the number under a player id that nobody can have. A copy of an earlier snapshot goes; one of this snapshot stays:
-- whoever writes it writes the same.
-- O(1). Repeatable.
local previous, copy = unpack(KEYS)
local number = tonumber(ARGV[1])
local shown = tonumber(redis.call('HGET', previous, '') or 0)
local filling = tonumber(redis.call('HGET', copy, '') or 0)
if shown == number then
  return 1
end
if shown > number or filling > number then
  return 0
end
if filling == number and redis.call('PTTL', copy) > ARGV[2] - ARGV[3] then
  return 0
end
if filling < number then
  redis.call('UNLINK', copy)
  redis.call('HSET', copy, '', ARGV[1])
end
redis.call('PEXPIRE', copy, ARGV[2])
return 1
