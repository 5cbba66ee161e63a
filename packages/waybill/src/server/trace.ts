/** Trace on the server (SEP-414): the caller's trace, and what to send on an outbound call. Spans are the business of `waybill/otel`. */
import { filterBaggage, startTrace, type TraceContext } from '../wire/trace.js';
import type { Trace } from './context.js';
import type { TraceOptions } from './options.js';
import type { Call, Part } from './part.js';

export function trace({ incoming = 'parent', baggage }: TraceOptions = {}): Part {
  if (!['parent', 'link', 'ignore'].includes(incoming)) throw new RangeError("trace.incoming: is not 'parent', 'link' or 'ignore'");
  if (baggage !== undefined && !Array.isArray(baggage)) throw new TypeError('trace.baggage: is not a list of keys');
  return { name: 'trace', faces: { trace: (call) => face(call, incoming, baggage) } };
}

function face(call: Call, incoming: NonNullable<TraceOptions['incoming']>, allowed: readonly string[] | undefined): Trace {
  const came = (): TraceContext | undefined => (incoming === 'ignore' ? undefined : call.asked.trace);
  let begun: TraceContext | undefined;
  return {
    get parent() {
      return incoming === 'parent' ? came() : undefined;
    },
    get link() {
      return incoming === 'link' ? came() : undefined;
    },
    /** TRACE-11: we take no part ourselves, so the texts go on as they came; D-25: behind a boundary a new trace begins here. */
    carrier() {
      const found = came();
      const parts = incoming === 'link' ? (begun ??= newTrace()) : found;
      const { baggage: _, ...ids } = parts ?? {};
      const kept = found?.baggage === undefined ? undefined : allowed === undefined ? found.baggage : filterBaggage(found.baggage, allowed);
      return kept === undefined || kept === '' ? ids : { ...ids, baggage: kept };
    },
  };
}

/** D-25: the caller's sampled flag is ignored, and nobody here decides to record. */
function newTrace(): TraceContext {
  return startTrace({ traceId: hex(16), parentId: hex(8), random: true });
}

function hex(bytes: number): string {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
