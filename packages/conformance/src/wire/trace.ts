/** Formats of W3C Trace Context and W3C Baggage, and a value for the checks to send. */

export const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
export const TRACEPARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`;

/** Level 2 of the standard: keys may begin with a digit, which level 1 allows for tenants only. */
const MEMBER = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const VALUE = '[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]*';
const BAGGAGE = new RegExp(`^${TOKEN}[ \\t]*=[ \\t]*${VALUE}(?:[ \\t]*;[ \\t]*${TOKEN}(?:[ \\t]*=[ \\t]*${VALUE})?)*$`);

export const isTraceparent = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/.test(value) &&
  (!value.startsWith('00') || value.length === 55);

export const membersOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((member) => member.trim())
        .filter((member) => member !== '')
    : [];

export const isTracestate = (value: unknown): boolean =>
  typeof value === 'string' && membersOf(value).length <= 32 && membersOf(value).every((member) => MEMBER.test(member));

const isBaggage = (value: unknown): boolean => typeof value === 'string' && membersOf(value).every((member) => BAGGAGE.test(member));

/** Says what is wrong with the trace context of a `_meta`, as a sentence; undefined if nothing is. */
export function traceProblem(meta: Readonly<Record<string, unknown>>): string | undefined {
  const prefixed = Object.keys(meta).find((key) => /[./](traceparent|tracestate|baggage)$/.test(key));
  if (prefixed !== undefined) return `${prefixed} has a prefix`;
  const formats = { traceparent: isTraceparent, tracestate: isTracestate, baggage: isBaggage };
  for (const [key, fits] of Object.entries(formats))
    if (meta[key] !== undefined && !fits(meta[key])) return `${key} is ${JSON.stringify(meta[key])}`;
  return undefined;
}
