import { fieldValue, type HeaderSource } from '../headers.js';
import type { Report } from '../issue.js';
import { own, type Meta } from '../json.js';
import { BAGGAGE, TRACEPARENT, TRACESTATE } from '../keys.js';
import { MAX_BAGGAGE } from './baggage.js';
import { trimBlanks } from '../blanks.js';
import { isTraceparent } from './traceparent.js';
import { isTracestate } from './tracestate.js';

// TRACE-11
/**
 * The trace of a message: the original texts, so that a hop that takes no part passes them byte for byte. Each text is valid and fits
 * into a header. Baggage may stand alone.
 */
export interface TraceContext {
  readonly traceparent?: string;
  /** Present only with a traceparent. */
  readonly tracestate?: string;
  /** Not parsed: only its size and its characters were checked. */
  readonly baggage?: string;
}

// TRACE-09
/**
 * Returns the usable ones of the three values. Each unusable value is reported, so an invalid traceparent with a tracestate makes two issues.
 * A list without members is legal and means nothing.
 */
export function checkTrace(values: Meta, report: Report): TraceContext | undefined {
  const traceparent = usable(values, TRACEPARENT, traceparentProblem, report);
  const tracestate = usable(values, TRACESTATE, traceparent === undefined ? strayProblem : tracestateProblem, report);
  const baggage = usable(values, BAGGAGE, baggageProblem, report);
  if (traceparent === undefined && baggage === undefined) return undefined;
  const trace: { -readonly [Name in keyof TraceContext]: TraceContext[Name] } = {};
  if (traceparent !== undefined) trace.traceparent = traceparent;
  if (tracestate !== undefined) trace.tracestate = tracestate;
  if (baggage !== undefined) trace.baggage = baggage;
  return trace;
}

/** A list without members. */
const EMPTY_LIST = /^[ \t,]*$/;
/** The characters of baggage: others are not legal there, and control characters would end a header (TRACE-10). */
const BAGGAGE_TEXT = /^[\t\x20-\x7e]*$/;

function usable(values: Meta, key: string, problemOf: (text: string) => string | undefined, report: Report): string | undefined {
  const value = own(values, key);
  if (value === undefined || (key !== TRACEPARENT && typeof value === 'string' && EMPTY_LIST.test(value))) return undefined;
  const problem = typeof value === 'string' ? problemOf(value) : 'is not a string';
  if (problem === undefined) return value as string;
  report({ concern: 'trace', key, problem });
  return undefined;
}

function traceparentProblem(text: string): string | undefined {
  return isTraceparent(text) ? undefined : 'is not a W3C traceparent';
}

function tracestateProblem(text: string): string | undefined {
  return isTracestate(text) ? undefined : 'is not a W3C tracestate';
}

function strayProblem(): string {
  return 'stands without a valid traceparent';
}

function baggageProblem(text: string): string | undefined {
  if (text.length > MAX_BAGGAGE) return `is longer than ${MAX_BAGGAGE} bytes`;
  return BAGGAGE_TEXT.test(text) ? undefined : 'holds characters that no header can carry';
}

// TRACE-07, TRACE-08
/**
 * Reads the trace from the headers of an HTTP request, for requests without one in `_meta` (the two need not agree). Names
 * may have any case. Repeated lines form one list, and two traceparents count as none.
 */
export function readTraceHeaders(headers: Iterable<readonly [name: string, value: string]>, report: Report): TraceContext | undefined {
  const lines: Readonly<Record<string, string[]>> = { [TRACEPARENT]: [], [TRACESTATE]: [], [BAGGAGE]: [] };
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (Object.hasOwn(lines, key)) lines[key]?.push(trimBlanks(value));
  }
  const values: Meta = {};
  for (const [key, parts] of Object.entries(lines)) if (parts.length > 0) values[key] = parts.join(',');
  return checkTrace(values, report);
}

/** Does the same for the headers of a whole request; undefined if it has none of the three. */
export function traceIn(headers: HeaderSource, report: Report): TraceContext | undefined {
  const lines = [TRACEPARENT, TRACESTATE, BAGGAGE].flatMap((key) => {
    const value = fieldValue(headers, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return lines.length === 0 ? undefined : readTraceHeaders(lines, report);
}
