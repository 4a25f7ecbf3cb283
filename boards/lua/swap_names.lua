-- swap_names: the copy becomes the names.
--
-- KEYS  1 the hash of names, 2 the copy; in one slot
-- ARGV  1 the filler's own token
-- gives 1 if it was done, 0 if the copy is not ours: then nothing is changed
-- O(1): what is replaced is unlinked, and freed by another thread. The second time there is no copy.
if redis.call('HGET', KEYS[2], '') ~= ARGV[1] then
  return 0
end
redis.call('UNLINK', KEYS[1])
redis.call('HDEL', KEYS[2], '')
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('RENAME', KEYS[2], KEYS[1])
  redis.call('PERSIST', KEYS[1])
end
return 1
