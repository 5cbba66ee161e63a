// The public API of the built packages as the functions that an outside collection of cases calls.
import { randomBytes } from 'node:crypto';
import {
  childTrace,
  ignore,
  isValidTimeZone,
  isWellFormedTag,
  languageChooser,
  parseAcceptLanguage,
  parseBaggage,
  parseTimestamp,
  parseTraceparent,
  readTraceHeaders,
  relayJar,
  startTrace,
} from 'waybill/adapter';

export { resolveRange } from './time.mjs';
export { isAllowedStateHost } from 'waybill/hosts';
export { isValidTimeZone, isWellFormedTag, parseAcceptLanguage, parseBaggage, parseTimestamp, parseTraceparent };

/** Returns the language of a server with these languages; nothing if it would use its default. */
export function negotiateLanguage(header, available) {
  // A chooser without languages is a mistake of the program; a case without languages asks what is chosen from nothing.
  if (available.length === 0) return undefined;
  const { language, matched } = languageChooser(available).choose(header ?? '*');
  return matched ? language : undefined;
}

/** Returns the name of the drawer for the server at this address. Whether it may keep one is another row. */
const jar = relayJar({ hosts: { isAllowedStateHost: () => true } });
export const stateScope = (url) => jar.nameOf(url.replace(/^\s*http:/i, 'https:')).name;
export const sameStateScope = (url, other) => stateScope(url) !== undefined && stateScope(url) === stateScope(other);

/** Returns what a hop that takes part sends for these headers. */
export function propagate(headers) {
  const ids = { traceId: randomBytes(16).toString('hex'), parentId: randomBytes(8).toString('hex') };
  const incoming = readTraceHeaders(headers, ignore);
  return (incoming && childTrace(incoming, ids.parentId)) ?? startTrace(ids);
}
