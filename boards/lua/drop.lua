-- drop: a key goes, freed by another thread.
--
-- KEYS  1 the key
-- gives nothing
-- O(1). Repeatable.
redis.call('UNLINK', KEYS[1])
