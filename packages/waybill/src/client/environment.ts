import {
  coarsen,
  environment,
  formatTimestamp,
  isLocale,
  isValidTimeZone,
  limitLocation,
  parseTimestamp,
  stampNow,
  zoneOffset,
  PRECISIONS,
  type Location,
  type Precision,
} from '../wire/environment.js';
import { checkNames, expectOneOf, quote } from '../wire/check.js';
import { isObject, type Meta } from '../wire/json.js';
import { andThen } from '../wire/maybe.js';
import { passes } from '../wire/policy/fields.js';
import type { ClientCall, ClientConnection, Draft, ClientPart } from './part.js';
import type { PlatformReader } from './platform.js';
import { ask, askEach, firstProblem, perObject, sourcesIn, type LocationInput, type Source, type CallValues } from './values.js';

const MEMBERS = ['timezone', 'locale', 'now', 'location'];
const COORDINATES = ['latitude', 'longitude'];
const PLACE = ['city', 'region', 'country', 'coordinates', 'precision'];

export function checkEnvironment(input: unknown, path: string): void {
  if (input === undefined || input === null) return;
  if (!isObject(input)) throw new TypeError(`${path}: expected an object or null`);
  const { timezone, locale, now, location } = input;
  checkNames(input, MEMBERS, path);
  text(timezone, isValidTimeZone, `${path}.timezone`, 'an IANA time zone');
  text(locale, isLocale, `${path}.locale`, 'a BCP 47 language tag');
  text(now, (value) => parseTimestamp(value) !== undefined, `${path}.now`, 'an RFC 3339 timestamp with an offset');
  if (location !== undefined && location !== null && typeof location !== 'function') checkLocation(location, `${path}.location`);
}

function text(value: unknown, check: (text: string) => boolean, path: string, what: string): void {
  if (value === undefined || value === null || value === 'auto' || typeof value === 'function') return;
  if (typeof value !== 'string') throw new TypeError(`${path}: expected a text, 'auto', null or a function`);
  if (!check(value)) throw new RangeError(`${path}: expected ${what}, got ${quote(value)}`);
}

function checkLocation(location: unknown, path: string): void {
  if (!isObject(location)) throw new TypeError(`${path}: expected an object, null or a function`);
  const { precision, ...place } = location;
  const { coordinates } = place;
  checkNames(location, PLACE, path);
  if (isObject(coordinates)) checkNames(coordinates, COORDINATES, `${path}.coordinates`);
  expectOneOf(...PRECISIONS)(precision, `${path}.precision`);
  const first = firstProblem((report) => environment.request.write({ location: place }, report, {}));
  if (first === undefined) return;
  const name = first.key.split('.').at(-1) ?? '';
  throw new RangeError(`${path}.${COORDINATES.includes(name) ? 'coordinates.' : ''}${name}: ${first.problem}`);
}

/** The values of an environment for one call. */
interface Found {
  readonly timezone?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly now?: string | null | undefined;
  readonly location?: Location | undefined;
}

/** The environment without the time, and a function that adds the time. */
interface Spelled {
  readonly keys: Meta;
  readonly stamp: (added: Meta, now: string) => void;
}

/**
 * CTX-02, CTX-13: writes zone, locale and time of the user on each tool call. The location is written only if it was given, and no more
 * precisely than configured.
 */
export class EnvironmentPart implements ClientPart {
  readonly name = 'environment';
  readonly #clock: () => number;
  readonly #platform: PlatformReader;
  readonly #everywhere: boolean;
  readonly #sources = perObject(({ environment: input }: CallValues) => {
    const { fixed, functions } = sourcesIn(input ?? {});
    return { fixed: withCoarseLocation(fixed), functions };
  });
  #spelled: (Found & Spelled & { readonly connection: ClientConnection }) | undefined;

  constructor(clock: () => number, platform: PlatformReader, everywhere: boolean) {
    this.#clock = clock;
    this.#platform = platform;
    this.#everywhere = everywhere;
  }

  request(call: ClientCall, draft: Draft): void | Promise<void> {
    const { values, callers, connection } = call;
    const source = values.environment?.location;
    // D-20: nobody is asked for a place that will not be sent.
    if (typeof source === 'function' && call.levels && !passes(call.levels.location))
      return this.#request({ ...values, environment: { ...values.environment, location: null } }, call, draft);
    if (typeof source !== 'function' || limitLocation(callers, undefined, connection.wire) === undefined)
      return this.#request(values, call, draft);
    // D-20: the allowed precision is in the function's result, so it is asked even if the caller wrote the location.
    return andThen(ask(source, call, 'environment', 'environment.location'), (location = null) =>
      this.#request({ ...values, environment: { ...values.environment, location } }, call, draft),
    );
  }

  preview(call: ClientCall, draft: Draft): void | Promise<void> {
    return this.request(call, draft);
  }

  #request(values: CallValues, call: ClientCall, draft: Draft): void | Promise<void> {
    const limits = limitLocation(call.callers, precisionOf(values.environment?.location), call.connection.wire);
    if (limits !== undefined) {
      draft.policy = { ...draft.policy, ...limits };
      for (const key of Object.keys(limits))
        call.connection.onIssue({ concern: 'environment', key, problem: 'is more precise than the configured location allows' });
    }
    // CTX-16: only tool calls, unless the application wants the environment on every request.
    if (values.environment === null || (call.method !== 'tools/call' && !this.#everywhere)) return undefined;
    const { fixed, functions } = this.#sources(values);
    if (functions.length === 0) return this.#add(fixed, call, draft);
    return andThen(askEach(functions, call, 'environment', 'environment.'), (found) =>
      this.#add({ ...fixed, ...withCoarseLocation(found) }, call, draft),
    );
  }

  #add(given: Found, { connection }: ClientCall, draft: Draft): void {
    const timezone = given.timezone === undefined || given.timezone === 'auto' ? this.#platform.current.timezone : given.timezone;
    const locale = given.locale === undefined || given.locale === 'auto' ? this.#platform.current.locale : given.locale;
    const { keys, stamp } = this.#spell(timezone, locale, given.location, connection);
    const now = given.now === null ? undefined : this.#now(given.now, timezone ?? undefined, connection);
    if (now === undefined) Object.assign(draft.added, keys);
    else stamp(draft.added, now);
  }

  /** Everything but the time stays the same from call to call, so it is checked and written once. */
  #spell(timezone: Found['timezone'], locale: Found['locale'], location: Location | undefined, connection: ClientConnection): Spelled {
    const last = this.#spelled;
    if (last?.timezone === timezone && last?.locale === locale && last?.location === location && last?.connection === connection)
      return last;
    const value = { ...(timezone && { timezone }), ...(locale && { locale }), ...(location && { location }) };
    const keys = environment.request.write(value, connection.onIssue, connection.wire);
    const spelled = { timezone, locale, location, keys, stamp: stampNow(keys, connection.wire), connection };
    this.#spelled = spelled;
    return spelled;
  }

  #now(given: string | undefined, zone: string | undefined, connection: ClientConnection): string | undefined {
    if (given === undefined || given === 'auto') return timeText(this.#clock(), zone);
    if (typeof given === 'string' && parseTimestamp(given) !== undefined) return given;
    connection.onIssue({ concern: 'environment', key: 'environment.now', problem: 'is not an RFC 3339 timestamp' });
    return undefined;
  }
}

/**
 * Writes the user's clock as text, with the offset of the user's zone. If the zone is not sent, the text is in UTC, because the offset would
 * reveal the zone.
 */
function timeText(epochMilliseconds: number, zone: string | undefined): string {
  return formatTimestamp(epochMilliseconds, zone === undefined ? undefined : zoneOffset(zone, epochMilliseconds)).text;
}

function withCoarseLocation(values: Readonly<Record<string, unknown>>): Found {
  return Object.hasOwn(values, 'location') ? { ...values, location: coarse(values['location'] as LocationInput) } : values;
}

/** CTX-30, D-20: cuts a location to the configured precision. */
function coarse(input: LocationInput): Location | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { precision = 'coordinates', ...place } = input;
  return coarsen(place, precision);
}

/** Returns how precise a location in a caller's own `_meta` may be. */
function precisionOf(input: Source<LocationInput>): Precision | undefined {
  return typeof input === 'object' && input !== null ? (input.precision ?? 'coordinates') : undefined;
}
