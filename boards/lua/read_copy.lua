-- read_copy: what one copy of a board, live or staging, says of these players.
--
-- KEYS  1 the copy, 2 its details
-- ARGV  player ids
-- gives {players on it, {packed score or nil, …}, {details or nil, …}}
--       The details are empty if the copy has none.
-- O(n)
if #ARGV == 0 then
  return {redis.call('ZCARD', KEYS[1]), {}, {}}
end
local scores, details = {}, {}
-- unpack() puts its values on Lua's stack, which holds 8,000.
for first = 1, #ARGV, 4000 do
  for _, score in ipairs(redis.call('ZMSCORE', KEYS[1], unpack(ARGV, first, math.min(first + 3999, #ARGV)))) do
    scores[#scores + 1] = score
  end
end
if redis.call('EXISTS', KEYS[2]) == 1 then
  for first = 1, #ARGV, 4000 do
    for _, text in ipairs(redis.call('HMGET', KEYS[2], unpack(ARGV, first, math.min(first + 3999, #ARGV)))) do
      details[#details + 1] = text
    end
  end
end
return {redis.call('ZCARD', KEYS[1]), scores, details}
