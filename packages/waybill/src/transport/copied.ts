import { isFieldValue } from '../wire/headers.js';
import { isObject, own } from '../wire/json.js';
import { metaOf } from '../wire/message.js';
import type { Message } from './types.js';

/** Keys, or a function that is asked for them on each message. */
export type CopiedKeys = readonly string[] | (() => readonly string[]);

/**
 * Keys of `_meta` that also go out as HTTP headers of the same name, for whatever stands between and reads no bodies. A copy and no
 * more: nothing has to agree with it (TRACE-08), so what no header can hold is simply not copied.
 */
export function copiedHeaders(message: Message, keys: CopiedKeys): Record<string, string> {
  const copied: Record<string, string> = {};
  const meta = metaOf(message, 'request');
  if (!isObject(meta)) return copied;
  for (const key of typeof keys === 'function' ? keys() : keys) {
    const value = own(meta, key);
    if (typeof value === 'string' && value !== '' && isFieldValue(value)) copied[key] = value;
  }
  return copied;
}

/** Header fields with copies among them; what the caller set itself stays. */
export function withCopies(headers: Readonly<Record<string, string>> | undefined, copies: Record<string, string>): Record<string, string> {
  const given = new Set(Object.keys(headers ?? {}).map((name) => name.toLowerCase()));
  const fresh = Object.entries(copies).filter(([name]) => !given.has(name.toLowerCase()));
  return { ...headers, ...Object.fromEntries(fresh) };
}
