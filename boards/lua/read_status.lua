-- read_status: what is to be said of a board without reading it.
--
-- KEYS  1 board, 2 rebuild lease, 3 set of the boards that are being recovered
-- ARGV  1 board id, 2 what stands in that set for all boards
-- gives {players, whether it is being rebuilt: 1 or 0, whether it is being recovered: 1 or 0}
-- O(1)
local recovering = redis.call('SISMEMBER', KEYS[3], ARGV[1])
if recovering == 0 then
  recovering = redis.call('SISMEMBER', KEYS[3], ARGV[2])
end
return {redis.call('ZCARD', KEYS[1]), redis.call('EXISTS', KEYS[2]), recovering}
