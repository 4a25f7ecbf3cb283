-- fill_previous: previous ranks of some players into the copy.
--
-- KEYS  1 previous ranks, 2 the copy; in one slot
-- ARGV  1 the snapshot's number, 2 milliseconds that the copy lives from now; then player id, rank, player id, rank, …
-- gives 1 if they are in, or are shown already; 0 if the copy is gone or another's: then nothing is changed
-- O(n). Repeatable.
local previous, copy = unpack(KEYS)
if redis.call('HGET', previous, '') == ARGV[1] then
  return 1
end
if redis.call('HGET', copy, '') ~= ARGV[1] then
  return 0
end
-- unpack() puts its values on Lua's stack, which holds 8,000.
for first = 3, #ARGV, 4000 do
  redis.call('HSET', copy, unpack(ARGV, first, math.min(first + 3999, #ARGV)))
end
redis.call('PEXPIRE', copy, ARGV[2])
return 1
