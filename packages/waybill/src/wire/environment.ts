/**
 * Environment: SEP-1809 (an issue, dormant, neither accepted nor rejected). A `tools/call` carries the user's zone, clock, regional format
 * and, if the user allows it, location, so that "yesterday" means the user's yesterday. Every member is optional and checked by itself: a
 * bad one is dropped with one issue, the rest stays, and the call never fails for it (CTX-22, D-13). It travels in `_meta` (D-03); the
 * seed's own places are moved there first (environment/carrier.ts).
 */
import type { Concern, Facet, WireOptions } from './concern.js';
import { environmentKey } from './environment/carrier.js';
import { isLocale, defined, readMember, textIf } from './environment/members.js';
import { coarsen, readFlatLocation, readLocation, type Location, type Precision } from './environment/location.js';
import { parseTimestamp, type Timestamp } from './environment/timestamp.js';
import { isValidTimeZone } from './environment/zone.js';
import { ignore, type Report } from './issue.js';
import { isObject, own, type Meta } from './json.js';
import { OPENAI_AGENT, OPENAI_LOCALE, OPENAI_LOCATION } from './keys.js';

export { liftEnvironment, lowerEnvironment } from './environment/carrier.js';
export { isLocale } from './environment/members.js';
export { coarsen, PRECISIONS, type Coordinates, type Location, type Precision } from './environment/location.js';
export { fixedOffset, formatTimestamp, isReckonable, parseTimestamp, type Timestamp } from './environment/timestamp.js';
export { isValidTimeZone, offsetDisagrees, zoneOffset } from './environment/zone.js';

export interface Environment {
  // CTX-23
  /** IANA name in the sender's spelling. */
  readonly timezone?: string;
  // CTX-28, D-17
  /** The user's clock: for interpretation only, never for authorisation, expiry or audit. */
  readonly now?: Timestamp;
  // CTX-29, D-18
  /** BCP 47; governs formatting, not the choice of words. */
  readonly locale?: string;
  readonly location?: Location;
}

const zone = textIf(isValidTimeZone);
const locale = textIf(isLocale);
const timestamp = (value: unknown): Timestamp | undefined => (typeof value === 'string' ? parseTimestamp(value) : undefined);

const NOT_A_ZONE = 'is not an IANA time zone';
const NOT_A_LOCALE = 'is not a BCP 47 language tag';
const NOT_AN_OBJECT = 'is not an object';

function readContext(context: Meta, path: string, report: Report): Environment | undefined {
  const place = readMember(context, 'userLocation', path, objectOnly, NOT_AN_OBJECT, report);
  return defined<Environment>({
    timezone: readMember(context, 'timezone', path, zone, NOT_A_ZONE, report),
    now: readMember(context, 'currentTimestamp', path, timestamp, 'is not an RFC 3339 timestamp with an offset', report),
    locale: readMember(context, 'locale', path, locale, NOT_A_LOCALE, report),
    location: place && readLocation(place, `${path}.userLocation`, report),
  });
}

/** D-03: adds vendor hints for missing members. A location comes from one source only: two sources could make one that does not exist. */
function readOpenai(given: Environment, meta: Meta, report: Report): Environment | undefined {
  const found = own(meta, OPENAI_LOCATION);
  if (found !== undefined && !isObject(found)) report({ concern: 'environment', key: OPENAI_LOCATION, problem: NOT_AN_OBJECT });
  const place = isObject(found) ? found : {};
  const tag = own(meta, OPENAI_LOCALE);
  const hinted = given.locale === undefined ? locale(tag) : undefined;
  if (given.locale === undefined && tag !== undefined && hinted === undefined)
    report({ concern: 'environment', key: OPENAI_LOCALE, problem: NOT_A_LOCALE });
  return defined<Environment>({
    timezone: given.timezone ?? readMember(place, 'timezone', OPENAI_LOCATION, zone, NOT_A_ZONE, report),
    now: given.now,
    locale: given.locale ?? hinted,
    location: given.location ?? readFlatLocation(place, OPENAI_LOCATION, report),
  });
}

function objectOnly(value: unknown): Meta | undefined {
  return isObject(value) ? value : undefined;
}

/** Spells the environment for the wire. Members that are not set are left out. */
function spell({ timezone, now, locale, location }: Environment): Meta | undefined {
  return defined<Meta>({ timezone, currentTimestamp: now?.text, locale, userLocation: location });
}

const request: Facet<Environment> = {
  read(meta: Meta, report: Report, options: WireOptions): Environment | undefined {
    const key = environmentKey(options);
    const context = own(meta, key);
    if (context !== undefined && !isObject(context)) report({ concern: 'environment', key, problem: NOT_AN_OBJECT });
    const given = isObject(context) ? readContext(context, key, report) : undefined;
    return options.dialects?.includes('openai') ? readOpenai(given ?? {}, meta, report) : given;
  },

  /** Sends only values that our own reader accepts. */
  write(value: Environment, report: Report, options: WireOptions): Meta {
    const key = environmentKey(options);
    const fit = readContext(spell(value) ?? {}, key, report);
    const context = fit && spell(fit);
    return context ? { [key]: context } : {};
  },
};

// CTX-13
/** Returns what `write` made with another time, for a sender that writes the rest once and stamps each call. */
export function stampNow(spelled: Meta, options: WireOptions = {}): (added: Meta, now: string) => void {
  const key = environmentKey(options);
  const rest = spelled[key] as Meta | undefined;
  return (added, now) => {
    added[key] = { currentTimestamp: now, ...rest };
  };
}

// D-20
/**
 * Returns the keys that must replace a caller's own, so that no finer location is sent than `precision` allows, and none without a
 * precision. The value `undefined` removes a key. Returns nothing if the caller wrote no location.
 */
export function limitLocation(meta: Meta, precision: Precision | undefined, options: WireOptions = {}): Meta | undefined {
  const key = environmentKey(options);
  const context = own(meta, key);
  if (context === undefined && !Object.hasOwn(meta, OPENAI_LOCATION)) return undefined;
  const limited: Meta = {};
  if (isObject(context) && Object.hasOwn(context, 'userLocation')) {
    const { userLocation, ...rest } = context;
    const place = isObject(userLocation) ? readLocation(userLocation, key, ignore) : undefined;
    const kept = precision && place && coarsen(place, precision);
    limited[key] = kept ? { ...rest, userLocation: kept } : rest;
  }
  // This vendor key is flat and also holds a zone, so it cannot be cut down: it is removed as a whole.
  if (Object.hasOwn(meta, OPENAI_LOCATION)) limited[OPENAI_LOCATION] = undefined;
  return Object.keys(limited).length === 0 ? undefined : limited;
}

export const environment: Concern<Environment, never, never, never> = {
  name: 'environment',
  keys: (options) => [
    environmentKey(options),
    ...(options.dialects?.includes('openai') ? [OPENAI_LOCALE, OPENAI_LOCATION, OPENAI_AGENT] : []),
  ],
  request,
};
