import { checkMembers, isRecord, isTexts, type Check } from '../wire/check.js';
import { isLocale, isValidTimeZone, parseTimestamp } from '../wire/environment.js';
import { isObject } from '../wire/json.js';
import { languagePreference } from '../wire/language.js';
import { trace } from '../wire/trace.js';
import type { CallContext } from './context.js';

/** An object with no other members than these, each as its check wants it. */
function having(members: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (!isObject(value)) return isRecord(value);
    for (const [name, member] of Object.entries(value)) {
      const check = Object.hasOwn(members, name) ? members[name] : undefined;
      if (check === undefined) return `has ${JSON.stringify(name)}, which is none of ${Object.keys(members).join(', ')}`;
      const problem = member === undefined ? undefined : check(member);
      if (problem !== undefined) return `${name} ${problem}`;
    }
    return undefined;
  };
}

/** What may be malformed is told in the issues of the outcome. */
const anything: Check = () => undefined;
/** An object as JSON has it: a `Map` would be an empty one. */
const isPlain: Check = (value) => (isObject(value) && isJsonObject(value) ? undefined : 'is not a plain object');
const isTrace = having(Object.fromEntries(trace.keys({}).map((key) => [key, anything])));
const isPlace = having({ latitude: anything, longitude: anything });

const CHECKS: Readonly<Record<keyof CallContext, Check>> = {
  language: (value) => (typeof value === 'string' || isTexts(value) ? undefined : 'is neither a text nor a list of tags'),
  timezone: (value) => (typeof value === 'string' && isValidTimeZone(value) ? undefined : `${shown(value)} is not an IANA time zone`),
  now: (value) => (isClock(value) ? undefined : `${shown(value)} is neither an RFC 3339 timestamp with an offset nor an instant`),
  locale: (value) => (typeof value === 'string' && isLocale(value) ? undefined : `${shown(value)} is not a BCP 47 language tag`),
  location: having({ city: anything, region: anything, country: anything, coordinates: isPlace }),
  capabilities: isRecord,
  state: having({ session: isPlain, server: isPlain }),
  trace: (value) => (typeof value === 'string' ? undefined : isTrace(value)),
  meta: isRecord,
  era: (value) => (value === '2025-11-25' || value === '2026-07-28' ? undefined : "is neither '2025-11-25' nor '2026-07-28'"),
};

/** Texts of a kind: what is wrong with one is its value. */
const RANGES: ReadonlySet<string> = new Set(['timezone', 'now', 'locale', 'era'] satisfies (keyof CallContext)[]);

function isClock(value: unknown): boolean {
  if (typeof value === 'string') return parseTimestamp(value) !== undefined;
  return (typeof value === 'number' || value instanceof Date) && Number.isFinite(Number(value));
}

/** In any realm: some runners of tests have one for each file. */
function isJsonObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** A test that misspells its context would silently test another one. What is malformed on purpose goes into `meta`. */
export function checkContext(context: CallContext): void {
  const names = Object.keys(CHECKS).join(', ');
  const given: unknown = context;
  if (!isObject(given)) throw new TypeError(`callTool: the context is not an object; it may have ${names}`);
  checkMembers(context, CHECKS, {
    unknown: (name) => new TypeError(`${name}: is nothing a context has; there are ${names}`),
    wrong: (name, problem) => new (RANGES.has(name) ? RangeError : TypeError)(`${name}: ${problem}`),
  });
  if (context.language !== undefined) languagePreference(context.language);
}
