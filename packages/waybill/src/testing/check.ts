import { checkMembers, expectMembers, expectObject, expectOneOf, expects, isTexts, type Check } from '../wire/check.js';
import { isLocale, isValidTimeZone, parseTimestamp } from '../wire/environment.js';
import { isObject } from '../wire/json.js';
import { checkTag, languagePreference } from '../wire/language.js';
import { trace } from '../wire/trace.js';
import type { TestContext } from './context.js';

/** For values that may be malformed on purpose: they show as issues of the outcome. */
const anything: Check = () => undefined;
/** Expects an object as in JSON: a `Map` would become an empty one. */
const expectPlain = expects('a plain object', (value) => isObject(value) && isJsonObject(value));
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

/** Works across realms: some test runners have one for each file. */
function isJsonObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A test that misspells its context would silently test another one. Values that are malformed on purpose go into `meta`. */
export function checkContext(context: TestContext): void {
  checkMembers(context, CHECKS, 'callTool', '');
  const { language } = context;
  if (language === undefined) return;
  if (typeof language !== 'string') language.forEach((tag, at) => checkTag(tag, `language[${at}]`));
  languagePreference(language);
}
