import type { Message } from '../../transport/index.js';
import { isObject, own, type Meta } from '../../wire/json.js';
import { CLIENT_CAPABILITIES, OWN_CLIENT_CAPABILITIES } from '../../wire/keys.js';

/**
 * Adds or removes the state capability in a request that is already written, in every place that declares capabilities (STATE-01,
 * STATE-37).
 */
export function withState(message: Message, declared: boolean): Message {
  const { params } = message;
  if (!isObject(params)) return message;
  const meta = own(params, '_meta');
  const next: Meta = { ...params };
  if (message['method'] === 'initialize') next['capabilities'] = set(own(params, 'capabilities'), declared);
  if (isObject(meta)) {
    const changed: Meta = { ...meta };
    for (const key of [CLIENT_CAPABILITIES, OWN_CLIENT_CAPABILITIES])
      if (isObject(own(meta, key))) changed[key] = set(own(meta, key), declared);
    next['_meta'] = changed;
  }
  return { ...message, params: next };
}

function set(capabilities: unknown, declared: boolean): unknown {
  if (!isObject(capabilities)) return capabilities;
  const { state: _, ...rest } = capabilities;
  return declared ? { ...rest, state: {} } : rest;
}
