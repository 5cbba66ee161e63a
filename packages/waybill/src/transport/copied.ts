import { isFieldValue } from '../wire/headers.js';
import { isObject, own } from '../wire/json.js';
import { metaOf } from '../wire/message.js';
import type { Message } from './types.js';

/** Keys, or a function that returns them for each message. */
export type CopiedKeys = readonly string[] | (() => readonly string[]);

/**
 * Copies keys of `_meta` into HTTP headers of the same name, for proxies that read no bodies. Nothing has to agree with a copy (TRACE-08),
 * so a value that no header can hold is not copied.
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

/** Adds copies to header fields. A header that the caller set stays. */
export function withCopies(headers: Readonly<Record<string, string>> | undefined, copies: Record<string, string>): Record<string, string> {
  const given = new Set(Object.keys(headers ?? {}).map((name) => name.toLowerCase()));
  const fresh = Object.entries(copies).filter(([name]) => !given.has(name.toLowerCase()));
  return { ...headers, ...Object.fromEntries(fresh) };
}
