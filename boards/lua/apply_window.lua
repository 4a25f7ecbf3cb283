-- apply_window: rows of one custom window, raises and corrections alike, as they were read in one snapshot.
--
-- KEYS  1 live board, 2 staging board, 3 fence, 4 rebuild lease, 5 details, 6 staging details, 7 and 8 not of windows, 9 what says
--       that it is built; all in one slot
-- ARGV  1 snapshot number
--       2 w, the number of rows
--       3 milliseconds that the fence lives after this at least
--       then w times: player id, packed score ('' removes)
--       then, for each of these whose points have details: player id, details
-- gives how many rows were refused, having been read before others that the board has seen
--
-- Of two rows of a player, the one with the larger snapshot number is the newer, so it is written as it is: no GT. The fence is moved by
-- each, also while the window is neither built nor being built: a late worker must not write what is older into a copy that is begun
-- meanwhile.
-- Scores are passed on as strings: a Lua number would be printed with 14 digits.
-- O(w log N). Repeatable: late, repeated and reordered writes do no harm.
local live, staging, fence, lease, details, staging_details = unpack(KEYS)
local built = KEYS[9]
local snapshot_no = tonumber(ARGV[1])
local last_row = 3 + 2 * tonumber(ARGV[2])
local is_built = redis.call('EXISTS', built) == 1
local is_building = redis.call('EXISTS', lease) == 1
local refused = 0

local details_of = {}
for i = last_row + 1, #ARGV, 2 do
  details_of[ARGV[i]] = ARGV[i + 1]
end

local function call(command, key, arguments)
  if #arguments > 0 then
    redis.call(command, key, unpack(arguments))
  end
end

-- unpack() puts its values on Lua's stack, which holds 8,000.
local CHUNK = 4000
for first = 4, last_row, CHUNK do
  local player_ids = {}
  for i = first, math.min(first + CHUNK - 1, last_row), 2 do
    player_ids[#player_ids + 1] = ARGV[i]
  end
  local seen = redis.call('HMGET', fence, unpack(player_ids))
  local scores, removed, described, plain, fences = {}, {}, {}, {}, {}
  for n, player_id in ipairs(player_ids) do
    local packed = ARGV[first + 2 * n - 1]
    if seen[n] and tonumber(seen[n]) > snapshot_no then
      refused = refused + 1
    else
      fences[#fences + 1] = player_id
      fences[#fences + 1] = ARGV[1]
      if packed == '' then
        removed[#removed + 1] = player_id
      else
        scores[#scores + 1] = packed
        scores[#scores + 1] = player_id
      end
      if packed ~= '' and details_of[player_id] then
        described[#described + 1] = player_id
        described[#described + 1] = details_of[player_id]
      else
        plain[#plain + 1] = player_id
      end
    end
  end
  local function write(board, board_details)
    call('ZADD', board, scores)
    call('ZREM', board, removed)
    call('HSET', board_details, described)
    call('HDEL', board_details, plain)
  end
  if is_built then
    write(live, details)
  end
  if is_building then
    write(staging, staging_details)
  end
  call('HSET', fence, fences)
end

local function expire(keys, milliseconds)
  for _, key in ipairs(keys) do
    if redis.call('PTTL', key) == -1 then
      redis.call('PEXPIRE', key, milliseconds)
    end
  end
end
if is_built then
  -- What belongs to a window dies when it does, and not before.
  expire({live, details}, redis.call('PTTL', built) + 1)
end
if is_building then
  -- Should the rebuild die, what it leaves goes a minute after its lease.
  expire({staging, staging_details}, redis.call('PTTL', lease) + 60000)
end
if redis.call('PTTL', fence) < tonumber(ARGV[3]) then
  redis.call('PEXPIRE', fence, ARGV[3])
end
return refused
