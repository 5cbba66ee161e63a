// The public API of the built packages as the functions an outside collection of cases asks for.
import { randomBytes } from 'node:crypto';
import {
  acceptedLanguages,
  bestMatch,
  childTrace,
  ignore,
  isValidTimeZone,
  isWellFormedTag,
  languageChooser,
  lookup,
  parseAcceptLanguage,
  parseBaggage,
  parseTimestamp,
  parseTraceparent,
  readTraceHeaders,
  startTrace,
  validTracestateMember,
} from 'waybill';
import { basicFilter, extendedFilter } from '../../packages/waybill/dist/wire/language/rfc4647.js';

export { resolveRange } from './time.mjs';
export { isAllowedStateHost, registrableDomain, sameStateScope, stateScope } from 'waybill/hosts';
export {
  acceptedLanguages,
  basicFilter,
  bestMatch,
  extendedFilter,
  isValidTimeZone,
  isWellFormedTag,
  lookup,
  parseAcceptLanguage,
  parseBaggage,
  parseTimestamp,
  parseTraceparent,
  validTracestateMember,
};

/** The language a server with these would answer in; nothing where it would fall back to a default of its own. */
export function negotiateLanguage(header, available) {
  // A chooser without languages is a programmer's mistake; a case without languages asks what is chosen from nothing.
  if (available.length === 0) return undefined;
  const { language, matched } = languageChooser(available).choose(header ?? '*');
  return matched ? language : undefined;
}

/** What a hop that takes part sends on for these headers. */
export function propagate(headers) {
  const ids = { traceId: randomBytes(16).toString('hex'), parentId: randomBytes(8).toString('hex') };
  const incoming = readTraceHeaders(headers, ignore);
  return (incoming && childTrace(incoming, ids.parentId)) ?? startTrace(ids);
}
