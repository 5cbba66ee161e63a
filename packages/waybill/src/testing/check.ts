import { checkMembers, isRecord, isTexts, type Check } from '../wire/check.js';
import { isLocale, isValidTimeZone } from '../wire/environment.js';
import { isObject } from '../wire/json.js';
import { trace } from '../wire/trace.js';
import type { CallContext } from './context.js';

/** An object with no other members than these; `inside` judges each. */
function having(names: readonly string[], inside: Check = () => undefined): Check {
  return (value) => {
    if (!isObject(value)) return isRecord(value);
    for (const [name, member] of Object.entries(value)) {
      if (!names.includes(name)) return `has ${JSON.stringify(name)}, which is none of ${names.join(', ')}`;
      const problem = member === undefined ? undefined : inside(member);
      if (problem !== undefined) return `${name} ${problem}`;
    }
    return undefined;
  };
}

const isTrace = having(trace.keys({}));

const CHECKS: Readonly<Record<keyof CallContext, Check>> = {
  language: (value) => (typeof value === 'string' || isTexts(value) ? undefined : 'is neither a text nor a list of tags'),
  timezone: (value) =>
    typeof value === 'string' && isValidTimeZone(value) ? undefined : `${JSON.stringify(value)} is not an IANA time zone`,
  // Judged where it becomes a timestamp.
  now: () => undefined,
  locale: (value) => (typeof value === 'string' && isLocale(value) ? undefined : `${JSON.stringify(value)} is not a BCP 47 language tag`),
  location: having(['city', 'region', 'country', 'coordinates']),
  capabilities: isRecord,
  state: having(['session', 'server'], isRecord),
  trace: (value) => (typeof value === 'string' ? undefined : isTrace(value)),
  meta: isRecord,
  era: (value) => (value === '2025-11-25' || value === '2026-07-28' ? undefined : "is neither '2025-11-25' nor '2026-07-28'"),
};

/** A test that misspells its context would silently test another one. What is malformed on purpose goes into `meta`. */
export function checkContext(context: CallContext): void {
  const names = Object.keys(CHECKS).join(', ');
  if (!isObject(context)) throw new TypeError(`callTool: the context is not an object; it may have ${names}`);
  checkMembers(context, CHECKS, {
    unknown: (name) => new TypeError(`${name}: is nothing a context has; there are ${names}`),
    wrong: (name, problem) => new TypeError(`${name}: ${problem}`),
  });
}
