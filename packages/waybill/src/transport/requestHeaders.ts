import { isFieldValue, ACCEPT_LANGUAGE_HEADER, mirroredLanguage } from '../wire/headers.js';
import { isObject, own } from '../wire/json.js';
import { metaOf } from '../wire/message.js';
import { builtinModule } from './runtime.js';
import type { Message } from './types.js';
import type { Report } from '../wire/issue.js';
import { ACCEPT_LANGUAGE } from '../wire/keys.js';
import { strip } from '../wire/write.js';

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

interface DiagnosticsChannel {
  readonly hasSubscribers: boolean;
}

let requests: DiagnosticsChannel | undefined;

/** In Node, instrumentation of HTTP listens here and adds its own `traceparent` to each request of `fetch`. */
function isFetchInstrumented(): boolean {
  const channels = builtinModule('node:diagnostics_channel') as { channel(name: string): DiagnosticsChannel } | undefined;
  requests ??= channels?.channel('undici:request:create');
  return requests?.hasSubscribers === true;
}

/**
 * Returns the trace keys to copy into headers: none while instrumentation adds the same headers, since two `traceparent` lines count as no
 * trace.
 */
export function unlessInstrumented(keys: readonly string[], report: Report): CopiedKeys {
  let isReported = false;
  return () => {
    if (!isFetchInstrumented()) return keys;
    if (!isReported)
      report({
        side: 'setup',
        concern: 'trace',
        key: 'mirror',
        problem: "adds no headers while instrumentation of HTTP adds its own; write mirror: 'always' to send both, or leave mirror out",
      });
    isReported = true;
    return NONE;
  };
}

const NONE: readonly string[] = [];

/**
 * LANG-40, LANG-41: returns the request as it can be sent over HTTP, and the header line that must go with it. A preference that no header
 * can hold is left out and reported. If it were sent in the body alone, a server would have to refuse the call (LANG-46), because Node's
 * `fetch` adds a header `*` by default.
 */
export function mirrorLanguage(message: Message, report: Report): { message: Message; header?: string } {
  const language = mirroredLanguage(message);
  if (language === undefined) return { message };
  if (!isFieldValue(language)) return { message: withoutLanguage(message, 'cannot stand in a header', report) };
  return { message, header: language };
}

/** Removes the preference of a request, for a way that cannot carry it in both places. */
export function withoutLanguage(message: Message, problem: string, report: Report): Message {
  if (mirroredLanguage(message) === undefined) return message;
  report({ concern: 'language', key: ACCEPT_LANGUAGE, problem });
  return strip(message, ['language']);
}

/** Sets `Accept-Language` in header fields and replaces every other spelling of it. */
export function withLanguageHeader(headers: Readonly<Record<string, string>> | undefined, language: string): Record<string, string> {
  // Most calls have no headers of their own, and then nothing has to be searched.
  if (headers === undefined) return { [ACCEPT_LANGUAGE_HEADER]: language };
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== ACCEPT_LANGUAGE_HEADER.toLowerCase());
  return { ...Object.fromEntries(others), [ACCEPT_LANGUAGE_HEADER]: language };
}
