/**
 * Trace: SEP-414, Final, part of 2026-07-28. `traceparent`, `tracestate` and `baggage` are reserved bare keys of `_meta` (TRACE-01)
 * on any request or notification (TRACE-03), with the values of W3C Trace Context level 2 and W3C Baggage (TRACE-02). What is
 * malformed is ignored and never fails the request; a traceparent that is ignored takes its tracestate with it (TRACE-09).
 */
import type { Concern, Facet } from './concern.js';
import { BAGGAGE, TRACEPARENT, TRACESTATE } from './keys.js';
import { checkTrace, type TraceContext } from './trace/context.js';

export { excessBaggage, filterBaggage, limitBaggage, parseBaggage, type BaggageMember, type BaggageProperty } from './trace/baggage.js';
export { forwardHeaders, type ForwardOptions, type ForwardPolicy, type HeaderGroup, type HeaderPairs } from './trace/forward.js';
export { readTraceHeaders, traceIn, type TraceContext } from './trace/context.js';
export { childTrace, continueTrace, startTrace, type ChildOptions, type NewTrace } from './trace/hop.js';
export {
  formatTraceparent,
  isParentId,
  isTraceId,
  parseTraceparent,
  RANDOM,
  SAMPLED,
  type ParentId,
  type TraceId,
  type Traceparent,
} from './trace/traceparent.js';
export type { TracestateMember } from './trace/tracestate.js';

const KEYS = [TRACEPARENT, TRACESTATE, BAGGAGE] as const;

/** Reads and writes with the same checks: a value that we would not read is not sent. */
const facet: Facet<TraceContext> = {
  read: (meta, report) => checkTrace(meta, report),
  write: (value, report) => ({ ...checkTrace({ ...value }, report) }),
};

export const trace: Concern<TraceContext, never, never, TraceContext> & { readonly notification: Facet<TraceContext> } = {
  name: 'trace',
  keys: () => KEYS,
  // A tracestate belongs to its own traceparent; beside another one it would be wrong.
  together: [TRACEPARENT, TRACESTATE],
  request: facet,
  notification: facet,
};
