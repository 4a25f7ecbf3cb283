-- read_ranks: these players' entries on a board, in the order asked for.
--
-- KEYS  1 board, 2 hash of names
-- ARGV  player ids, up to 1,000
-- gives {players, {packed score or nil, …}, {rank from 0 or nil, …}, {name or nil, …}}
-- O(n log N)
local scores = redis.call('ZMSCORE', KEYS[1], unpack(ARGV))
local ranks = {}
for i, score in ipairs(scores) do
  ranks[i] = score and redis.call('ZREVRANK', KEYS[1], ARGV[i])
end
return {redis.call('ZCARD', KEYS[1]), scores, ranks, redis.call('HMGET', KEYS[2], unpack(ARGV))}
