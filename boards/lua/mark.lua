-- mark: begin a rebuild of one board: from now on every write goes to both copies, as long as the lease is renewed.
--
-- KEYS  1 staging board, 2 rebuild lease, 3 staging details; all in one slot
-- ARGV  1 the rebuild's own token, 2 milliseconds that the lease holds
-- gives 1 if the lease is ours, 0 if another rebuild has it: then nothing is changed
--
-- A staging board from before has missed the writes since its lease ran out: it goes.
-- O(1). Repeatable: a lease that is ours is renewed, and its staging board stays.
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[1] then
  return 0
end
if not holder then
  redis.call('UNLINK', KEYS[1], KEYS[3])
end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return 1
