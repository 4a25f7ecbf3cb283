-- read_status: what is to be said of a board without reading it.
--
-- KEYS  1 board, 2 rebuild lease
-- gives {players, whether it is being rebuilt: 1 or 0}
-- O(1)
return {redis.call('ZCARD', KEYS[1]), redis.call('EXISTS', KEYS[2])}
