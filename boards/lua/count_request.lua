-- count_request: one more request of an API key in the current window.
--
-- KEYS  1 the key's counter
-- ARGV  1 seconds of a window, which begins with its first request
-- gives {requests so far, milliseconds until the window ends}
-- O(1)
local count = redis.call('INCR', KEYS[1])
if count == 1 then
  redis.call('EXPIRE', KEYS[1], ARGV[1])
end
return {count, redis.call('PTTL', KEYS[1])}
