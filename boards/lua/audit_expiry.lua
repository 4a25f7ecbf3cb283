-- audit_expiry: whether all that belongs to one board expires when it should; what is wrong is mended.
--
-- KEYS  1 live board, 2 staging board, 3 fence, 4 rebuild lease, 5 details, 6 staging details, 7 previous ranks,
--       8 those being filled in; all in one slot
-- ARGV  1 seconds that the board may live, 0 for ever
--       2 seconds that it must live on, as it is not archived yet; 0 if it is
--       3 whether it shows previous ranks: 1 or 0; what is left of them goes
-- gives what was found, a word each; mostly nothing
-- O(1). Repeatable: the second time it finds nothing.
local live, staging, fence, lease, details, staging_details, previous, staging_previous = unpack(KEYS)
local kept_ms = tonumber(ARGV[1]) * 1000
local needed_ms = tonumber(ARGV[2]) * 1000
-- A lease that has no time of its own, and what a rebuild leaves behind when its lease is over (see apply.lua).
local LEASE_MS, LEFTOVER_MS = 60000, 60000
local finds = {}

local function found(word)
  finds[#finds + 1] = word
end

if ARGV[3] == '0' then
  redis.call('UNLINK', previous, staging_previous)
end

-- PTTL: -2 without the key, -1 without an expiry.
local board_ms = redis.call('PTTL', live)
if board_ms < 0 then
  board_ms = math.max(redis.call('PTTL', fence), redis.call('PTTL', details))
end
if board_ms < 0 or board_ms > kept_ms then
  board_ms = kept_ms
end

for _, key in ipairs({live, fence, details, previous}) do
  local left_ms = redis.call('PTTL', key)
  if kept_ms == 0 then
    if left_ms >= 0 then
      redis.call('PERSIST', key)
      found('expires_though_kept')
    end
  elseif left_ms == -1 then
    redis.call('PEXPIRE', key, board_ms)
    found('no_expiry')
  elseif left_ms > kept_ms then
    redis.call('PEXPIRE', key, board_ms)
    found('lives_too_long')
  end
end

if kept_ms > 0 and needed_ms > 0 and board_ms < needed_ms then
  for _, key in ipairs({live, fence, details}) do
    if redis.call('PTTL', key) >= 0 then
      redis.call('PEXPIRE', key, needed_ms)
    end
  end
  found('expires_before_archive')
end

if redis.call('PTTL', lease) == -1 then
  redis.call('PEXPIRE', lease, LEASE_MS)
  found('lease_without_end')
end
local lease_ms = math.max(redis.call('PTTL', lease), 0)
for _, key in ipairs({staging, staging_details}) do
  local left_ms = redis.call('PTTL', key)
  if left_ms == -1 or left_ms > lease_ms + LEFTOVER_MS then
    if lease_ms > 0 then
      redis.call('PEXPIRE', key, lease_ms + LEFTOVER_MS)
    else
      redis.call('UNLINK', key)
    end
    found('staging_leftover')
  end
end
if redis.call('PTTL', staging_previous) == -1 then
  redis.call('UNLINK', staging_previous)
  found('staging_leftover')
end
return finds
