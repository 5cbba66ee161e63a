import type { Report } from '../issue.js';
import { own, type Meta } from '../json.js';
import { BAGGAGE, TRACEPARENT, TRACESTATE } from '../keys.js';
import { MAX_BAGGAGE } from './baggage.js';
import { parseTraceparent } from './traceparent.js';
import { isTracestate } from './tracestate.js';

/**
 * What a message says about its trace: the texts as they came, so that a hop which takes no part passes them byte for byte
 * (TRACE-11). Each was found valid, and a header could carry it. Baggage may stand alone.
 */
export interface TraceContext {
  readonly traceparent?: string;
  /** Only beside a traceparent. */
  readonly tracestate?: string;
  /** Not parsed: its size and its characters were looked at, and no more. */
  readonly baggage?: string;
}

/**
 * The usable part of three values from anywhere. Every value that is there and not used is one issue, so an invalid traceparent
 * makes two where a tracestate goes with it (TRACE-09). A list without members is legal and says nothing.
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

const NO_MEMBERS = /^[ \t,]*$/;

function usable(values: Meta, key: string, problemOf: (text: string) => string | undefined, report: Report): string | undefined {
  const value = own(values, key);
  if (value === undefined || (key !== TRACEPARENT && typeof value === 'string' && NO_MEMBERS.test(value))) return undefined;
  const problem = typeof value === 'string' ? problemOf(value) : 'is not a string';
  if (problem === undefined) return value as string;
  report({ concern: 'trace', key, problem });
  return undefined;
}

function traceparentProblem(text: string): string | undefined {
  return parseTraceparent(text) === undefined ? 'is not a W3C traceparent' : undefined;
}

function tracestateProblem(text: string): string | undefined {
  return isTracestate(text) ? undefined : 'is not a W3C tracestate';
}

function strayProblem(): string {
  return 'stands without a valid traceparent';
}

/** Non-ASCII is no legal baggage, and control characters would end a header (TRACE-10). */
function baggageProblem(text: string): string | undefined {
  if (text.length > MAX_BAGGAGE) return `is longer than ${MAX_BAGGAGE} bytes`;
  return /[^\t\x20-\x7e]/.test(text) ? 'holds characters that no header can carry' : undefined;
}
