-- apply: writes of one board, raises and corrections alike, each by its epoch (DESIGN.md, invariant 5).
--
-- KEYS  1 live board, 2 staging board, 3 fence, 4 rebuild lease; all in one slot
-- ARGV  1 seconds that a new board lives, 0 for ever
--       2 whether a missing board may begin: 1 or 0
--       3 n, the number of raises of epoch 0, then n times: packed score, player id
--       then, as often as there are: player id, epoch, packed score ('' removes)
-- gives how many writes were refused, having been read before a correction that the board has seen
--
-- A write goes to both copies or to none; the fence is one for both.
-- Scores are passed on as strings: a Lua number would be printed with 14 digits.
-- O(n log N). Repeatable: late, repeated and reordered writes do no harm.
local live, staging, fence, lease = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local kept_seconds = tonumber(ARGV[1])
local existed = redis.call('EXISTS', live) == 1
if not existed and ARGV[2] == '0' then
  return 0
end
local rebuilding = redis.call('EXISTS', lease) == 1
local staged = rebuilding and redis.call('EXISTS', staging) == 1
local fenced = redis.call('EXISTS', fence) == 1
local refused = 0

-- unpack() puts its values on Lua's stack, which holds 8,000.
local CHUNK = 4000

local function write(...)
  redis.call('ZADD', live, ...)
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

local last_raise = 3 + 2 * tonumber(ARGV[3])
for first = 4, last_raise, CHUNK do
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
        refused = refused + 1
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

local moved = false
for i = last_raise + 1, #ARGV, 3 do
  local player_id, epoch, packed = ARGV[i], tonumber(ARGV[i + 1]), ARGV[i + 2]
  local seen = tonumber(redis.call('HGET', fence, player_id) or 0)
  if epoch < seen then
    refused = refused + 1
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
      moved = true
    end
  end
end

if kept_seconds > 0 then
  local begun = not existed and redis.call('EXISTS', live) == 1
  if begun then
    redis.call('EXPIRE', live, kept_seconds)
  end
  if moved or begun then
    -- The fence never dies before its board.
    redis.call('EXPIRE', fence, kept_seconds)
  end
end
if rebuilding and not staged and redis.call('EXISTS', staging) == 1 then
  -- Should the rebuild die, what it leaves goes a minute after its lease.
  redis.call('PEXPIRE', staging, redis.call('PTTL', lease) + 60000)
end
return refused
