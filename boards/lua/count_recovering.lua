-- count_recovering: how many boards are being recovered; one for all of them together.
--
-- KEYS  1 set of board ids
-- gives the number
-- O(1)
return redis.call('SCARD', KEYS[1])
