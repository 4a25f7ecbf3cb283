-- read_top: a page of a board, best first.
--
-- KEYS  1 board, 2 hash of names
-- ARGV  1 offset, 2 how many
-- gives {players, {player id, packed score, …}, {name, …}}
-- O(log N + n)
local offset = tonumber(ARGV[1])
local page = redis.call('ZREVRANGE', KEYS[1], offset, offset + tonumber(ARGV[2]) - 1, 'WITHSCORES')
local player_ids = {}
for i = 1, #page, 2 do
  player_ids[#player_ids + 1] = page[i]
end
local names = #player_ids > 0 and redis.call('HMGET', KEYS[2], unpack(player_ids)) or {}
return {redis.call('ZCARD', KEYS[1]), page, names}
