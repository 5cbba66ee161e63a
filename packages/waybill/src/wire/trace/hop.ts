/**
 * Traces at a hop (TRACE-11, D-25). A hop that takes no part passes on the texts it read. A hop that takes part continues the trace with an id of
 * its own, or starts another trace. The program passes the ids in, so a malformed id is a mistake of the program and throws.
 */
import type { TraceContext } from './context.js';
import { formatTraceparent, isParentId, isTraceId, parseTraceparent, RANDOM, SAMPLED, type ParentId } from './traceparent.js';
import { prependTracestate, type TracestateMember } from './tracestate.js';

/** The ids of a trace that begins here. */
export interface NewTrace {
  readonly traceId: string;
  readonly parentId: string;
  readonly sampled?: boolean;
  /** Level 2: true if the trace id is random. Only its creator knows that. */
  readonly random?: boolean;
}

/** Starts a trace. It has no tracestate, since there is no earlier one to keep. */
export function startTrace({ traceId, parentId, sampled = false, random = false }: NewTrace): TraceContext {
  if (!isTraceId(traceId)) throw new TypeError('traceId: expected 32 lower-case hex digits, not all zero');
  requireParentId(parentId);
  return { traceparent: formatTraceparent({ traceId, parentId, flags: (sampled ? SAMPLED : 0) | (random ? RANDOM : 0) }) };
}

export interface ChildOptions {
  /** True if this hop records the trace. If not set, the caller's decision stays. */
  readonly sampled?: boolean;
  /** The tracestate entry of this hop, which comes first. */
  readonly entry?: TracestateMember;
}

/**
 * Continues a trace with this hop as the parent. Trace id, random flag, tracestate and baggage stay; a later version is written as version 00.
 * Returns undefined if there is no trace to continue.
 */
export function childTrace(trace: TraceContext, parentId: string, { sampled, entry }: ChildOptions = {}): TraceContext | undefined {
  requireParentId(parentId);
  const parent = trace.traceparent === undefined ? undefined : parseTraceparent(trace.traceparent);
  if (parent === undefined) return undefined;
  const flags = sampled === undefined ? parent.flags : (parent.flags & ~SAMPLED) | (sampled ? SAMPLED : 0);
  const traceparent = formatTraceparent({ traceId: parent.traceId, parentId, flags });
  return entry === undefined
    ? { ...trace, traceparent }
    : { ...trace, traceparent, tracestate: prependTracestate(trace.tracestate, entry) };
}

/** Does the same for many requests in one trace, which is read only once. The ids must be valid: they are not checked again. */
export function continueTrace(trace: TraceContext): ((parentId: string) => TraceContext) | undefined {
  const parent = trace.traceparent === undefined ? undefined : parseTraceparent(trace.traceparent);
  if (parent === undefined) return undefined;
  const [before, after] = formatTraceparent({ ...parent, parentId: '|' as ParentId }).split('|') as [string, string];
  return (parentId) => ({ ...trace, traceparent: before + parentId + after });
}

function requireParentId(text: string): asserts text is ParentId {
  if (!isParentId(text)) throw new TypeError('parentId: expected 16 lower-case hex digits, not all zero');
}
