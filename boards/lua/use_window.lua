-- use_window: a custom window is asked for: it lives on for a while, or is put on the list of those to be built.
--
-- KEYS  1 what says that it is built, 2 live board, 3 details, all in one slot; 4 the list: board ids by when they leave it
-- ARGV  1 board id, 2 now, 3 how long it lives after its last use, 4 how long scores follow it after that, 5 how long it is listed
--       after that, all in milliseconds
--       6 how many windows there may be at once
-- gives 1 if it is built, 0 if it is not but is listed, -1 if it is not and there are too many
--
-- A window that was built, but not followed all the time, may have missed scores: it is not built any more. That happens
-- where clocks differ by more than these times.
-- O(log n) of the windows. Repeatable.
local built, live, details, list = unpack(KEYS)
local board_id, now, kept, followed, listed = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local leaves_at = tonumber(redis.call('ZSCORE', list, board_id) or 0)
if leaves_at < now + listed - followed then
  redis.call('UNLINK', built)
end
if leaves_at < now + listed then
  redis.call('ZREMRANGEBYSCORE', list, '-inf', '(' .. ARGV[2])
  if redis.call('ZCOUNT', list, now + listed, '+inf') >= tonumber(ARGV[6]) then
    return -1
  end
end
redis.call('ZADD', list, 'GT', now + kept + listed, board_id)
if redis.call('EXISTS', built) == 0 then
  return 0
end
-- In this order, so that none expires before what says that it is built.
for _, key in ipairs({built, live, details}) do
  redis.call('PEXPIRE', key, kept)
end
return 1
