-- beat: ask the server who it is and what it remembers, and raise its heartbeat if nothing is lost, or if that is noted.
--
-- KEYS  1 heartbeat: a hash of number, at, position
-- ARGV  1 the number that is remembered elsewhere, 0 for none; 2 the identity likewise; 3 now, as milliseconds;
--       4 the first outbox event that the boards may not have; 5 whether a loss is noted: 1 or 0
-- gives {identity, number, at, position, the number that it is raised to or nil}, those in the middle as they were before, nil if
--       there was no heartbeat
--
-- One that is behind, or of another server, stays as it is until the loss is noted: it must not be covered up before. Then it
-- goes on above whatever is remembered.
-- O(1). Each call raises by one at least; numbers are never given twice, unless data is lost.
local server = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local history = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)')
local identity = server .. ':' .. (history or '')
local found = redis.call('HMGET', KEYS[1], 'number', 'at', 'position')
local number, remembered = tonumber(found[1] or -1), tonumber(ARGV[1])
local raised = false
if remembered == 0 or ARGV[5] == '1' or number >= remembered and ARGV[2] == identity then
  raised = string.format('%d', math.max(number, remembered) + 1)
  redis.call('HSET', KEYS[1], 'number', raised, 'at', ARGV[3], 'position', ARGV[4])
end
return {identity, found[1], found[2], found[3], raised}
