import { createHash } from 'node:crypto';

/**
 * Steps that must happen together run as a script in Redis. All keys of a principal share a hash tag, so each script touches one slot of a
 * cluster. A prefix of keys is passed as a key too: a client may add a prefix of its own to keys, but not to arguments.
 */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** KEYS: about, drawer. Returns the epoch and the whole drawer. */
export const LOAD: Script = script(`
return { redis.call('HGET', KEYS[1], 'epoch'), redis.call('HGETALL', KEYS[2]) }
`);

/**
 * KEYS: about, drawer, drawers, ended. ARGV: known epoch, new epoch, server, channel, message, then for each change: field, expected
 * revision, conversation or '', 'set' or 'delete', body. Values are "revision body". Any other value is not ours and counts as absent, here
 * and in reads: otherwise the jar would try for ever to replace it.
 */
export const SAVE: Script = script(`
local epoch = redis.call('HGET', KEYS[1], 'epoch')
if ARGV[1] ~= '' and ARGV[1] ~= epoch then return { epoch, false } end
local outcomes, changed = {}, false
for i = 6, #ARGV, 5 do
  local field, expected, conversation, op, body = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4]
  local row = redis.call('HGET', KEYS[2], field)
  local revision = row and string.match(row, '^([1-9]%d*) ')
  if not revision or #revision > 15 then revision = '0' end
  if conversation ~= '' and redis.call('ZSCORE', KEYS[4], conversation) then
    outcomes[#outcomes + 1] = { 'ended' }
  elseif revision ~= expected then
    outcomes[#outcomes + 1] = { 'found', row }
  elseif op == 'delete' then
    redis.call('HDEL', KEYS[2], field)
    outcomes[#outcomes + 1] = { 'saved', '0' }
    changed = true
  else
    if not epoch then
      epoch = ARGV[2]
      redis.call('HSET', KEYS[1], 'epoch', epoch)
    end
    local next = string.format('%.0f', redis.call('HINCRBY', KEYS[1], 'clock', 1))
    redis.call('HSET', KEYS[2], field, next .. ' ' .. body)
    outcomes[#outcomes + 1] = { 'saved', next }
    changed = true
  end
end
if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('SADD', KEYS[3], ARGV[3]) else redis.call('SREM', KEYS[3], ARGV[3]) end
if changed then redis.call('PUBLISH', ARGV[4], ARGV[5]) end
return { epoch, outcomes, redis.call('SCARD', KEYS[3]) }
`);

/** KEYS: drawers, ended, prefix of drawer keys. ARGV: conversation, prefix of its fields, channel, message, now, forgotten before. */
export const END: Script = script(`
for _, server in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local drawer = KEYS[3] .. server
  for _, field in ipairs(redis.call('HKEYS', drawer)) do
    if string.sub(field, 1, #ARGV[2]) == ARGV[2] then redis.call('HDEL', drawer, field) end
  end
  if redis.call('EXISTS', drawer) == 0 then redis.call('SREM', KEYS[1], server) end
end
redis.call('ZADD', KEYS[2], ARGV[5], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[6])
redis.call('PUBLISH', ARGV[3], ARGV[4])
return redis.call('SCARD', KEYS[1])
`);

/** KEYS: drawers, prefix of drawer keys. Returns server and number of items, alternating. */
export const DRAWERS: Script = script(`
local found = {}
for _, server in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  found[#found + 1] = server
  found[#found + 1] = redis.call('HLEN', KEYS[2] .. server)
end
return found
`);
