-- read_top: a page of a board, best first.
--
-- KEYS  1 board, 2 details, 3 hash of names, 4 hash of previous ranks, if they are asked for
-- ARGV  1 offset, 2 how many, 3 whether equal scores share a rank: 1 or 0
-- gives {players, {player id, packed score, …}, {name, …}, {details, …}, how many are better than the first of the page}
--       The details are empty if the board has none. Then {previous rank or nil, …}, if asked for.
-- O(log N + n)
local offset = tonumber(ARGV[1])
local page = redis.call('ZREVRANGE', KEYS[1], offset, offset + tonumber(ARGV[2]) - 1, 'WITHSCORES')
local player_ids = {}
for i = 1, #page, 2 do
  player_ids[#player_ids + 1] = page[i]
end
local names, details, better, previous = {}, {}, offset, {}
if #player_ids > 0 then
  names = redis.call('HMGET', KEYS[3], unpack(player_ids))
  if redis.call('EXISTS', KEYS[2]) == 1 then
    details = redis.call('HMGET', KEYS[2], unpack(player_ids))
  end
  if ARGV[3] == '1' then
    better = redis.call('ZCOUNT', KEYS[1], '(' .. page[2], '+inf')
  end
  if KEYS[4] then
    previous = redis.call('HMGET', KEYS[4], unpack(player_ids))
  end
end
return {redis.call('ZCARD', KEYS[1]), page, names, details, better, KEYS[4] and previous}
