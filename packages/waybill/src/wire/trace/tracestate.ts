/**
 * The `tracestate` value of W3C Trace Context level 2: one entry of each tracing system on the way, newest first (TRACE-10). It is used as a
 * whole or not at all: with one bad member, the order of the others means nothing.
 */
import { trimBlanks } from '../blanks.js';
import { quote } from '../check.js';

export type TracestateMember = readonly [key: string, value: string];

const MAX_MEMBERS = 32;
const MAX_PART = 256;
/** The longest list of the grammar: 32 members, each with a key, an equals sign, a value and a comma. */
const MAX_LENGTH = MAX_MEMBERS * (2 * MAX_PART + 2);
/** In level 2 a key may start with a digit, and `@` has no special meaning. A value may contain blanks but not end with one. */
const MEMBER = /^([a-z0-9][a-z0-9_*/@-]{0,255})=([ !-+\--<>-~]{0,255}[!-+\--<>-~])$/;

/** Parses the members in order, repeated keys included; undefined if the value is malformed. Empty members are legal. */
export function parseTracestate(text: string): TracestateMember[] | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const members: TracestateMember[] = [];
  for (const part of text.split(',')) {
    const member = trimBlanks(part);
    if (member === '') continue;
    const [, key, value] = MEMBER.exec(member) ?? [];
    if (key === undefined || value === undefined || members.length >= MAX_MEMBERS) return undefined;
    members.push([key, value]);
  }
  return members;
}

export function isTracestate(text: string): boolean {
  return parseTracestate(text) !== undefined;
}

export function isTracestateMember(key: string, value: string): boolean {
  const [member, ...others] = parseTracestate(`${key}=${value}`) ?? [];
  return others.length === 0 && member?.[0] === key && member[1] === value;
}

/**
 * Puts our own entry first and removes an older one of ours; the others keep their order. A malformed list is dropped. A full list loses its last
 * member, the oldest.
 */
export function prependTracestate(text: string | undefined, [key, value]: TracestateMember): string {
  if (!isTracestateMember(key, value)) throw new TypeError(`entry: expected a tracestate key and value, got ${quote(`${key}=${value}`)}`);
  const others = (parseTracestate(text ?? '') ?? []).filter(([other]) => other !== key).slice(0, MAX_MEMBERS - 1);
  return [[key, value], ...others].map((member) => member.join('=')).join(',');
}
