-- read_player: one player with as many neighbours on each side as there are, up to a limit.
--
-- KEYS  1 board, 2 hash of names
-- ARGV  1 player id, 2 neighbours on each side
-- gives {players, rank from 0 or nil, rank from 0 of the first neighbour, {player id, packed score, …}, {name, …}}
-- O(log N + n)
local players = redis.call('ZCARD', KEYS[1])
local rank = redis.call('ZREVRANK', KEYS[1], ARGV[1])
if not rank then
  return {players}
end
local around = tonumber(ARGV[2])
local first = math.max(rank - around, 0)
local page = redis.call('ZREVRANGE', KEYS[1], first, rank + around, 'WITHSCORES')
local player_ids = {}
for i = 1, #page, 2 do
  player_ids[#player_ids + 1] = page[i]
end
return {players, rank, first, page, redis.call('HMGET', KEYS[2], unpack(player_ids))}
