-- draw_copy: some of who is on one copy of a board, at random.
--
-- KEYS  1 the copy
-- ARGV  1 how many
-- gives {player id, …}, each once; fewer if there are no more
-- O(n)
return redis.call('ZRANDMEMBER', KEYS[1], ARGV[1])
