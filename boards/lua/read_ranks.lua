-- read_ranks: these players' entries on a board, in the order asked for.
--
-- KEYS  1 board, 2 details, 3 hash of names, 4 hash of previous ranks, if they are asked for
-- ARGV  1 whether equal scores share a rank: 1 or 0; then player ids, up to 5,001
-- gives {players, {packed score or nil, …}, {how many are better or nil, …}, {name or nil, …}, {details or nil, …}}
--       The details are empty if the board has none. Then {previous rank or nil, …}, if asked for.
-- O(n log N)
if #ARGV == 1 then
  return {redis.call('ZCARD', KEYS[1]), {}, {}, {}, {}}
end
local scores = redis.call('ZMSCORE', KEYS[1], unpack(ARGV, 2))
local better = {}
for i, score in ipairs(scores) do
  if not score then
    better[i] = false
  elseif ARGV[1] == '1' then
    better[i] = redis.call('ZCOUNT', KEYS[1], '(' .. score, '+inf')
  else
    better[i] = redis.call('ZREVRANK', KEYS[1], ARGV[i + 1])
  end
end
local details = {}
if redis.call('EXISTS', KEYS[2]) == 1 then
  details = redis.call('HMGET', KEYS[2], unpack(ARGV, 2))
end
local names = redis.call('HMGET', KEYS[3], unpack(ARGV, 2))
local previous = KEYS[4] and redis.call('HMGET', KEYS[4], unpack(ARGV, 2)) or nil
return {redis.call('ZCARD', KEYS[1]), scores, better, names, details, previous}
