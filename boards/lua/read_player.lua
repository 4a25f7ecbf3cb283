-- read_player: one player with as many neighbours on each side as there are, up to a limit.
--
-- KEYS  1 board, 2 details, 3 hash of names, 4 hash of previous ranks, if they are asked for
-- ARGV  1 player id, 2 neighbours on each side, 3 whether equal scores share a rank: 1 or 0
-- gives {players} if the player is not on the board, else
--       {players, {player id, packed score, …}, {name, …}, {details, …}, how many are better than the first of the page,
--        the player's place on the page from 0, places before the page}
--       The details are empty if the board has none. Then {previous rank or nil, …}, if asked for.
-- O(log N + n)
local players = redis.call('ZCARD', KEYS[1])
local place = redis.call('ZREVRANK', KEYS[1], ARGV[1])
if not place then
  return {players}
end
local around = tonumber(ARGV[2])
local first = math.max(place - around, 0)
local page = redis.call('ZREVRANGE', KEYS[1], first, place + around, 'WITHSCORES')
local player_ids = {}
for i = 1, #page, 2 do
  player_ids[#player_ids + 1] = page[i]
end
local details = {}
if redis.call('EXISTS', KEYS[2]) == 1 then
  details = redis.call('HMGET', KEYS[2], unpack(player_ids))
end
local better = first
if ARGV[3] == '1' then
  better = redis.call('ZCOUNT', KEYS[1], '(' .. page[2], '+inf')
end
local names = redis.call('HMGET', KEYS[3], unpack(player_ids))
local previous = KEYS[4] and redis.call('HMGET', KEYS[4], unpack(player_ids)) or nil
return {players, page, names, details, better, place - first, first, previous}
