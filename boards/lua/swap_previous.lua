-- swap_previous: the copy becomes the board's previous ranks.
--
-- KEYS  1 live board, 2 previous ranks, 3 the copy; all in one slot
-- ARGV  1 the snapshot's number, 2 seconds that a board lives, 0 for ever; 3 whether there is a copy: 1 or 0
-- gives 1 if the board shows this snapshot's ranks now, 0 if the copy is gone or another's: then nothing is changed
--
-- Without a copy nobody on the board was in the snapshot: what is shown of an earlier one goes. The ranks live as long as the board.
-- O(1): what is replaced is unlinked, and freed by another thread. Repeatable.
local live, previous, copy = unpack(KEYS)
local shown = tonumber(redis.call('HGET', previous, '') or 0)
if shown == tonumber(ARGV[1]) then
  return 1
end
if shown > tonumber(ARGV[1]) then
  return 0
end
if ARGV[3] == '0' then
  redis.call('UNLINK', previous)
  return 1
end
if redis.call('HGET', copy, '') ~= ARGV[1] then
  return 0
end
redis.call('UNLINK', previous)
redis.call('RENAME', copy, previous)
local left_ms = redis.call('PTTL', live)
if left_ms < 0 then
  left_ms = ARGV[2] * 1000
end
if ARGV[2] == '0' then
  redis.call('PERSIST', previous)
else
  redis.call('PEXPIRE', previous, left_ms)
end
return 1
