// The public API of the built packages as the functions an outside collection of cases asks for.
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

/** The language a server with these would answer in; nothing where it would fall back to a default of its own. */
export function negotiateLanguage(header, available) {
  // A chooser without languages is a programmer's mistake; a case without languages asks what is chosen from nothing.
  if (available.length === 0) return undefined;
  const { language, matched } = languageChooser(available).choose(header ?? '*');
  return matched ? language : undefined;
}

/** The name of the drawer that a jar keeps for the server at this address. Whether it may keep one is another question, and has its own row. */
const jar = relayJar({ hosts: { isAllowedStateHost: () => true } });
export const stateScope = (url) => jar.nameOf(url.replace(/^\s*http:/i, 'https:')).name;
export const sameStateScope = (url, other) => stateScope(url) !== undefined && stateScope(url) === stateScope(other);

/** What a hop that takes part sends on for these headers. */
export function propagate(headers) {
  const ids = { traceId: randomBytes(16).toString('hex'), parentId: randomBytes(8).toString('hex') };
  const incoming = readTraceHeaders(headers, ignore);
  return (incoming && childTrace(incoming, ids.parentId)) ?? startTrace(ids);
}
