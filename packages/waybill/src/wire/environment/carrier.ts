/**
 * The three places where SEP-1809's `clientContext` may stand (D-03). The proposal puts it beside `params`, where the strict schemas of the
 * SDKs refuse the whole message (CTX-20), or inside `params`, where they drop it. So the first reader of the raw message moves it into `_meta`
 * (CTX-21), and a client with `wire: 'seed'` moves it out at the very end (D-01).
 */
import type { WireOptions } from '../concern.js';
import { isObject, own, without } from '../json.js';
import { CLIENT_CONTEXT, CLIENT_CONTEXT_SIBLING } from '../keys.js';

export function environmentKey(options: WireOptions): string {
  return options.environmentKey ?? CLIENT_CONTEXT;
}

/**
 * Moves the environment into `_meta`. Returns the same object if there is nothing to move, or no place for it. `_meta` wins, then the
 * sibling, then the member of `params`.
 */
export function liftEnvironment<T>(message: T, options: WireOptions = {}): T {
  if (!isObject(message)) return message;
  const sibling = own(message, CLIENT_CONTEXT_SIBLING);
  const given = own(message, 'params');
  const found = isObject(given) ? own(given, CLIENT_CONTEXT_SIBLING) : undefined;
  if (sibling === undefined && found === undefined) return message;

  const method = own(message, 'method');
  // Only on this method: elsewhere a parameter of that name may belong to the application.
  const member = method === 'tools/call' ? found : undefined;
  const params = Object.hasOwn(message, 'params') ? given : {};
  if (typeof method !== 'string' || (sibling === undefined && member === undefined) || !isObject(params)) return message;
  const meta = Object.hasOwn(params, '_meta') ? params['_meta'] : {};
  if (!isObject(meta)) return message;

  const key = environmentKey(options);
  const lifted = Object.hasOwn(meta, key) ? meta : { ...meta, [key]: sibling === undefined ? member : sibling };
  const rest = member === undefined ? params : without(params, [CLIENT_CONTEXT_SIBLING]);
  return { ...without(message, [CLIENT_CONTEXT_SIBLING]), params: { ...rest, _meta: lifted } } as T;
}

/** For `wire: 'seed'` only: moves the environment of a `tools/call` out of `_meta` to its place beside `params`. */
export function lowerEnvironment<T>(message: T, options: WireOptions = {}): T {
  if (!isObject(message) || own(message, 'method') !== 'tools/call') return message;
  const params = own(message, 'params');
  const meta = isObject(params) ? own(params, '_meta') : undefined;
  const key = environmentKey(options);
  const context = isObject(meta) ? own(meta, key) : undefined;
  if (!isObject(params) || !isObject(meta) || context === undefined) return message;

  const left = without(meta, [key]);
  const outer = Object.keys(left).length > 0 ? { ...params, _meta: left } : without(params, ['_meta']);
  return { ...message, params: outer, [CLIENT_CONTEXT_SIBLING]: context };
}
