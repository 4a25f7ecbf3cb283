-- swap: the staging copy becomes the board, and the rebuild is over.
--
-- KEYS  1 live board, 2 staging board, 3 fence, 4 rebuild lease, 5 details, 6 staging details, 7 and 8 as they are; for a custom
--       window 9, what says that it is built; all in one slot
-- ARGV  1 the rebuild's own token, 2 seconds that a new board lives, 0 for ever
-- gives 1 if it was done, 0 if the lease is lost: then nothing is changed
--
-- The fence stays as it is: it says what both copies have seen. The board lives as long as the one it replaces would have; a
-- board that nobody is on any more goes, and its fence with its own expiry stays for the late. A custom window is built from now on, and
-- lives as if it had just been used.
-- O(1): what is replaced is unlinked, and freed by another thread. RENAME alone would free it in this one.
-- Repeatable: the second time the lease is gone.
local live, staging, fence, lease, details, staging_details = unpack(KEYS)
local built = KEYS[9]
if redis.call('GET', lease) ~= ARGV[1] then
  return 0
end
local left_ms = -1
if tonumber(ARGV[2]) > 0 then
  left_ms = built and -1 or redis.call('PTTL', redis.call('EXISTS', live) == 1 and live or fence)
  if left_ms < 0 then
    left_ms = ARGV[2] * 1000
  end
end
local function replace(old, new)
  redis.call('UNLINK', old)
  if redis.call('EXISTS', new) == 1 then
    redis.call('RENAME', new, old)
    if left_ms < 0 then
      redis.call('PERSIST', old)
    else
      redis.call('PEXPIRE', old, left_ms)
    end
  end
end
if built then
  -- Before the others, so that it expires no later.
  redis.call('SET', built, 1, 'PX', left_ms)
end
replace(live, staging)
replace(details, staging_details)
redis.call('DEL', lease)
return 1
