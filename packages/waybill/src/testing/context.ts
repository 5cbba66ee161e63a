/** The context of a test call as plain values, and the request that carries it. */
import type { Message } from '../transport/index.js';
import {
  formatTimestamp,
  parseTimestamp,
  zoneOffset,
  type Location,
  type Timestamp,
  isLocale,
  isValidTimeZone,
} from '../wire/environment.js';
import { isPlainObject, type Json, type JsonObject, type Meta } from '../wire/json.js';
import { CLIENT_CAPABILITIES, CLIENT_INFO, PROTOCOL_VERSION, TRACEPARENT } from '../wire/keys.js';
import { languagePreference, checkTag } from '../wire/language.js';
import { eachScope, type StateChanges } from '../wire/state.js';
import { type TraceContext, trace } from '../wire/trace.js';
import { writeRequest, type WriteOptions } from '../wire/write.js';
import { checkMembers, expectMembers, expectObject, expectOneOf, expects, isTexts, type Check } from '../wire/check.js';

export type Era = '2025-11-25' | '2026-07-28';

export interface TestState {
  readonly session?: Readonly<Record<string, Json>>;
  readonly server?: Readonly<Record<string, Json>>;
}

/** The context of a call. A member that is not set is not sent. */
export interface TestContext {
  /** Tags, best first, or an `Accept-Language` text. */
  readonly language?: string | readonly string[] | undefined;
  /** An IANA name. */
  readonly timezone?: string | undefined;
  /** The time on the user's clock: an RFC 3339 text, or an instant, which is sent with the offset of `timezone`. */
  readonly now?: string | number | Date | undefined;
  /** A tag; it formats dates and numbers. */
  readonly locale?: string | undefined;
  /** The place that the client tells. */
  readonly location?: Location | undefined;
  /** The capabilities that the client declares. Without it, none. */
  readonly capabilities?: JsonObject | undefined;
  /** The state that the client keeps for this server. Even `{}` declares a client that keeps state. */
  readonly state?: TestState | undefined;
  /** A `traceparent`, or an object with all three members. */
  readonly trace?: string | TraceContext | undefined;
  /** Keys of `_meta`, sent unchanged, even malformed ones. */
  readonly meta?: Meta | undefined;
  /** The default is 2026-07-28 for a target with `fetch()`, and 2025-11-25 for others. */
  readonly era?: Era | undefined;
}

export const INFO = { name: 'waybill-testing', version: '0' } as const;

export function capabilitiesOf({ capabilities = {}, state }: TestContext): JsonObject {
  return state === undefined ? capabilities : { state: {}, ...capabilities };
}

/** Adds the context to a request. `declare`: the request itself must declare the capabilities, since no `initialize` did. */
export function requestWith(
  message: Message,
  context: TestContext,
  about: { era: Era; declare: boolean },
  options?: WriteOptions,
): Message {
  const { language, state, trace, meta } = context;
  const declared = capabilitiesOf(context);
  const envelope = { [PROTOCOL_VERSION]: about.era, [CLIENT_INFO]: INFO, [CLIENT_CAPABILITIES]: declared };
  const params = { ...(message['params'] as Meta | undefined), ...(about.era === '2026-07-28' && { _meta: envelope }) };
  const values = {
    language: language === undefined ? undefined : languagePreference(language),
    environment: environmentOf(context),
    state: state && mapsOf(state),
    trace: typeof trace === 'string' ? { [TRACEPARENT]: trace } : trace,
    capabilities: about.declare ? declared : undefined,
    meta,
  };
  return writeRequest({ ...message, params }, values as Parameters<typeof writeRequest>[1], options);
}

function environmentOf({ timezone, now, locale, location }: TestContext): object | undefined {
  const members = { timezone, now: now === undefined ? undefined : timestampOf(now, timezone), locale, location };
  const kept = Object.entries(members).filter(([, value]) => value !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function timestampOf(now: string | number | Date, timezone: string | undefined): Timestamp {
  if (typeof now === 'string') return parseTimestamp(now) as Timestamp;
  const instant = Number(now);
  return formatTimestamp(instant, timezone === undefined ? undefined : zoneOffset(timezone, instant));
}

export function mapsOf(state: TestState): StateChanges | undefined {
  return eachScope((scope) => state[scope] && new Map(Object.entries(state[scope])));
}

/** For values that may be malformed on purpose: they show as issues of the outcome. */
const anything: Check = () => undefined;
/** Expects an object as in JSON: a `Map` would become an empty one. */
const expectPlain = expects('a plain object', isPlainObject);
const expectTrace = expectMembers(Object.fromEntries(trace.keys({}).map((key) => [key, anything])));
const expectPlace = expectMembers({ latitude: anything, longitude: anything });

const CHECKS: Readonly<Record<keyof TestContext, Check>> = {
  language: expects('a text or a list of tags', (value) => typeof value === 'string' || isTexts(value)),
  timezone: expects('an IANA time zone', (value) => typeof value === 'string' && isValidTimeZone(value), RangeError),
  now: expects('an RFC 3339 timestamp with an offset, or an instant', isClock, RangeError),
  locale: expects('a BCP 47 language tag', (value) => typeof value === 'string' && isLocale(value), RangeError),
  location: expectMembers({ city: anything, region: anything, country: anything, coordinates: expectPlace }),
  capabilities: expectObject,
  state: expectMembers({ session: expectPlain, server: expectPlain }),
  trace: (value, path) => {
    if (typeof value !== 'string') expectTrace(value, path);
  },
  meta: expectObject,
  era: expectOneOf('2025-11-25', '2026-07-28'),
};

function isClock(value: unknown): boolean {
  if (typeof value === 'string') return parseTimestamp(value) !== undefined;
  return (typeof value === 'number' || value instanceof Date) && Number.isFinite(Number(value));
}

/** A test that misspells its context would silently test another one. Values that are malformed on purpose go into `meta`. */
export function checkContext(context: TestContext): void {
  checkMembers(context, CHECKS, 'callTool', '');
  const { language } = context;
  if (language === undefined) return;
  if (typeof language !== 'string') language.forEach((tag, at) => checkTag(tag, `language[${at}]`));
  languagePreference(language);
}
