/** Finds the concern that a key of `_meta` or a header belongs to; the page colours it by that. */
import { keys, type ConcernName } from 'waybill';
import { concernNames, keysOf } from 'waybill/adapter';

const byKey = new Map<string, ConcernName>(concernNames.flatMap((name) => [...keysOf([name])].map((key) => [key, name] as const)));

const HEADERS: Readonly<Record<string, ConcernName>> = {
  'accept-language': 'language',
  'content-language': 'language',
  vary: 'language',
  [keys.TRACEPARENT]: 'trace',
  [keys.TRACESTATE]: 'trace',
  [keys.BAGGAGE]: 'trace',
};

export const concernOf = (key: string): ConcernName | undefined => byKey.get(key);
export const concernOfHeader = (name: string): ConcernName | undefined => HEADERS[name];

const FIELDS: Readonly<Record<string, ConcernName>> = {
  timezone: 'environment',
  now: 'environment',
  locale: 'environment',
  location: 'environment',
  baggage: 'trace',
};

/** A field of the policy: `timezone` belongs to the environment, `state` to itself. */
export const concernOfField = (field: string): string => FIELDS[field] ?? field;
