import type { TraceContext } from './context.js';
import { formatTraceparent, isParentId, isTraceId, parseTraceparent, RANDOM, SAMPLED, type ParentId } from './traceparent.js';
import { prependTracestate, type TracestateMember } from './tracestate.js';

/**
 * What a hop does with a trace (TRACE-11, D-25). One that takes no part hands on the texts it read; one that takes part
 * continues the trace with an id of its own, or starts another. Ids are given: where they come from is not the wire's business.
 * They come from our own side, so a malformed one is a mistake in the program and throws.
 */

export interface NewTrace {
  readonly traceId: string;
  readonly parentId: string;
  readonly sampled?: boolean;
  /** Level 2: whether the trace id was drawn at random, which only the one who drew it can say. */
  readonly random?: boolean;
}

/** A trace that begins here: nothing to take over, so no tracestate. */
export function startTrace({ traceId, parentId, sampled = false, random = false }: NewTrace): TraceContext {
  if (!isTraceId(traceId)) throw new TypeError('traceId is not 32 lower-case hex digits, not all zero');
  requireParentId(parentId);
  return { traceparent: formatTraceparent({ traceId, parentId, flags: (sampled ? SAMPLED : 0) | (random ? RANDOM : 0) }) };
}

export interface ChildOptions {
  /** The hop's own decision on recording; without one the caller's stands. */
  readonly sampled?: boolean;
  /** The hop's own tracestate entry, which goes first. */
  readonly entry?: TracestateMember;
}

/**
 * The same trace with this hop as the parent of what follows: trace id, the random flag, tracestate and baggage stay,
 * a later version is written as the one we know. `undefined` where there is no trace to continue.
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

/** The same for a sender of many requests in one trace, which is then read once. The ids must be valid: nobody looks at them again. */
export function continueTrace(trace: TraceContext): ((parentId: string) => TraceContext) | undefined {
  const parent = trace.traceparent === undefined ? undefined : parseTraceparent(trace.traceparent);
  if (parent === undefined) return undefined;
  const [before, after] = formatTraceparent({ ...parent, parentId: '|' as ParentId }).split('|') as [string, string];
  return (parentId) => ({ ...trace, traceparent: before + parentId + after });
}

function requireParentId(text: string): asserts text is ParentId {
  if (!isParentId(text)) throw new TypeError('parentId is not 16 lower-case hex digits, not all zero');
}
