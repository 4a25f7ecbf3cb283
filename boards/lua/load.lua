-- load: rows of one board into its staging copy, and the lease renewed.
--
-- KEYS  1 staging board, 2 fence, 3 rebuild lease, 4 staging details; all in one slot
-- ARGV  1 the rebuild's own token, 2 milliseconds that the lease holds
--       3 r, the number of rows of epoch 0
--       4 w, the number of other rows
--       then r times: packed score, player id
--       then w times: player id, epoch, packed score
--       then, for each of these whose points have details: player id, details
-- gives 1 if the lease is ours, 0 if it is lost: then nothing is changed
--
-- The fence is asked, never moved: the live board has not seen what was read here. A row below it was read before a
-- correction that both copies have. A row above it is newer than whatever staging has; its correction is still to come, and
-- then overrules this. Within one epoch the higher score is the newer one.
-- Scores are passed on as strings: a Lua number would be printed with 14 digits.
-- O(n log N). Repeatable, and as late as it likes: rows of before a correction are refused.
local staging, fence, lease, details = unpack(KEYS)
if redis.call('GET', lease) ~= ARGV[1] then
  return 0
end
redis.call('PEXPIRE', lease, ARGV[2])

local fenced = redis.call('EXISTS', fence) == 1
-- unpack() puts its values on Lua's stack, which holds 8,000.
local CHUNK = 4000
local CHUNK_OF_EPOCHS = 3000
local last_raise = 4 + 2 * tonumber(ARGV[3])
local last_row = last_raise + 3 * tonumber(ARGV[4])
local is_refused = {}

local function epochs_of(player_ids)
  return fenced and redis.call('HMGET', fence, unpack(player_ids)) or {}
end

local function raise(scores)
  if #scores > 0 then
    redis.call('ZADD', staging, 'GT', unpack(scores))
  end
end

for first = 5, last_raise, CHUNK do
  local last = math.min(first + CHUNK - 1, last_raise)
  if not fenced then
    redis.call('ZADD', staging, 'GT', unpack(ARGV, first, last))
  else
    local player_ids, kept = {}, {}
    for i = first + 1, last, 2 do
      player_ids[#player_ids + 1] = ARGV[i]
    end
    for n, seen in ipairs(epochs_of(player_ids)) do
      local i = first + 2 * (n - 1)
      if seen then
        is_refused[i] = true
      else
        kept[#kept + 1] = ARGV[i]
        kept[#kept + 1] = ARGV[i + 1]
      end
    end
    raise(kept)
  end
end

for first = last_raise + 1, last_row, CHUNK_OF_EPOCHS do
  local player_ids, newer, equal = {}, {}, {}
  local last = math.min(first + CHUNK_OF_EPOCHS - 1, last_row)
  for i = first, last, 3 do
    player_ids[#player_ids + 1] = ARGV[i]
  end
  local epochs = epochs_of(player_ids)
  for n, player_id in ipairs(player_ids) do
    local i = first + 3 * (n - 1)
    local epoch, seen = tonumber(ARGV[i + 1]), tonumber(epochs[n] or 0)
    if epoch < seen then
      is_refused[i] = true
    else
      local scores = epoch > seen and newer or equal
      scores[#scores + 1] = ARGV[i + 2]
      scores[#scores + 1] = player_id
    end
  end
  if #newer > 0 then
    redis.call('ZADD', staging, unpack(newer))
  end
  raise(equal)
end

-- Details belong to points: they are replaced only where staging shows the row's score. What was refused may have the same
-- score, but older details.
if #ARGV > last_row or redis.call('EXISTS', details) == 1 then
  local details_of = {}
  for i = last_row + 1, #ARGV, 2 do
    details_of[ARGV[i]] = ARGV[i + 1]
  end
  local function settle(position, player_id, packed)
    local shown = redis.call('ZSCORE', staging, player_id)
    if is_refused[position] or not shown or tonumber(shown) ~= tonumber(packed) then
      return
    end
    if details_of[player_id] then
      redis.call('HSET', details, player_id, details_of[player_id])
    else
      redis.call('HDEL', details, player_id)
    end
  end
  for i = 5, last_raise, 2 do
    settle(i, ARGV[i + 1], ARGV[i])
  end
  for i = last_raise + 1, last_row, 3 do
    settle(i, ARGV[i], ARGV[i + 2])
  end
end

-- Should the rebuild die, what it leaves goes a minute after its lease.
for _, key in ipairs({staging, details}) do
  redis.call('PEXPIRE', key, ARGV[2] + 60000)
end
return 1
