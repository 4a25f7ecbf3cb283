-- apply: writes of one board, raises and corrections alike, each by its epoch (DESIGN.md, invariant 5).
--
-- KEYS  1 live board, 2 staging board, 3 fence, 4 rebuild lease, 5 details, 6 staging details, 7 previous ranks,
--       8 those being filled in; all in one slot
-- ARGV  1 seconds that a new board lives, 0 for ever
--       2 whether a missing board may begin: 1 or 0. One that a removal has emptied is not missing: its fence is there
--       3 r, the number of raises of epoch 0
--       4 w, the number of other writes
--       then r times: packed score, player id
--       then w times: player id, epoch, packed score ('' removes)
--       then, for each of these whose points have details: player id, details
-- gives how many writes were refused, having been read before a correction that the board has seen
--
-- A write goes to both copies or to none; the fence is one for both.
-- Scores are passed on as strings: a Lua number would be printed with 14 digits.
-- O(n log N). Repeatable: late, repeated and reordered writes do no harm.
local live, staging, fence, lease, details, staging_details, previous, staging_previous = unpack(KEYS)
local kept_seconds = tonumber(ARGV[1])
local existed = redis.call('EXISTS', live) == 1
local fenced = redis.call('EXISTS', fence) == 1
local rebuilding = redis.call('EXISTS', lease) == 1
local begins = existed or fenced or ARGV[2] == '1'
if not begins and not rebuilding then
  return 0
end
local refused = 0
local is_refused = {}

local function refuse(position)
  refused = refused + 1
  is_refused[position] = true
end

-- What belongs to a board dies when the board does, however often it is emptied and filled in between.
local left_ms = -1
if kept_seconds > 0 then
  left_ms = redis.call('PTTL', existed and live or fence)
  if left_ms < 0 then
    left_ms = kept_seconds * 1000
  end
end

-- unpack() puts its values on Lua's stack, which holds 8,000.
local CHUNK = 4000
local last_raise = 4 + 2 * tonumber(ARGV[3])
local last_write = last_raise + 3 * tonumber(ARGV[4])

local function write(...)
  if begins then
    redis.call('ZADD', live, ...)
  end
  if rebuilding then
    redis.call('ZADD', staging, ...)
  end
end

local function remove(player_id)
  redis.call('ZREM', live, player_id)
  if rebuilding then
    redis.call('ZREM', staging, player_id)
  end
end

for first = 5, last_raise, CHUNK do
  local last = math.min(first + CHUNK - 1, last_raise)
  if not fenced then
    write('GT', unpack(ARGV, first, last))
  else
    -- Epoch 0 is below any fence: such players have been corrected since the row was read.
    local player_ids, kept = {}, {}
    for i = first + 1, last, 2 do
      player_ids[#player_ids + 1] = ARGV[i]
    end
    local epochs = redis.call('HMGET', fence, unpack(player_ids))
    for i, epoch in ipairs(epochs) do
      if epoch then
        refuse(first + 2 * i - 2)
      else
        kept[#kept + 1] = ARGV[first + 2 * i - 2]
        kept[#kept + 1] = ARGV[first + 2 * i - 1]
      end
    end
    if #kept > 0 then
      write('GT', unpack(kept))
    end
  end
end

for i = last_raise + 1, last_write, 3 do
  local player_id, epoch, packed = ARGV[i], tonumber(ARGV[i + 1]), ARGV[i + 2]
  local seen = tonumber(redis.call('HGET', fence, player_id) or 0)
  if packed == '' then
    -- Also if it comes late: whoever has the id of an erased player by then was nowhere before.
    redis.call('HDEL', previous, player_id)
    redis.call('HDEL', staging_previous, player_id)
  end
  if epoch < seen then
    refuse(i)
  else
    if packed == '' then
      remove(player_id)
    elseif epoch > seen then
      write(packed, player_id)
    else
      write('GT', packed, player_id)
    end
    if epoch > seen then
      redis.call('HSET', fence, player_id, epoch)
    end
  end
end

-- Details belong to points: they are replaced only where the write has won, that is, where the copy shows its score. What
-- was refused may have the same score, but older details.
local function settle_all(board, kept_details)
  if #ARGV == last_write and redis.call('EXISTS', kept_details) == 0 then
    return
  end
  local details_of = {}
  for i = last_write + 1, #ARGV, 2 do
    details_of[ARGV[i]] = ARGV[i + 1]
  end
  local function settle(position, player_id, packed)
    local shown = redis.call('ZSCORE', board, player_id)
    if is_refused[position] or shown and (packed == '' or tonumber(shown) ~= tonumber(packed)) then
      return
    end
    if shown and details_of[player_id] then
      redis.call('HSET', kept_details, player_id, details_of[player_id])
    else
      redis.call('HDEL', kept_details, player_id)
    end
  end
  for i = 5, last_raise, 2 do
    settle(i, ARGV[i + 1], ARGV[i])
  end
  for i = last_raise + 1, last_write, 3 do
    settle(i, ARGV[i], ARGV[i + 2])
  end
end
settle_all(live, details)
if rebuilding then
  settle_all(staging, staging_details)
end

if left_ms > 0 then
  for _, key in ipairs({live, fence, details}) do
    if redis.call('PTTL', key) == -1 then
      redis.call('PEXPIRE', key, left_ms)
    end
  end
end
if rebuilding then
  -- Should the rebuild die, what it leaves goes a minute after its lease.
  for _, key in ipairs({staging, staging_details}) do
    if redis.call('TTL', key) == -1 then
      redis.call('PEXPIRE', key, redis.call('PTTL', lease) + 60000)
    end
  end
end
return refused
