-- scan_copy: a part of who is on one copy of a board, live or staging, in no order.
--
-- KEYS  1 the copy
-- ARGV  1 cursor, 0 to begin; 2 about how many
-- gives {next cursor, 0 at the end; {player id, …}}
--       Whoever is on it from the first call to the last is given, some twice; who comes or goes meanwhile may be.
-- O(n); a board of few is given whole
local reply = redis.call('ZSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[2])
local player_ids = {}
for i = 1, #reply[2], 2 do
  player_ids[#player_ids + 1] = reply[2][i]
end
return {reply[1], player_ids}
