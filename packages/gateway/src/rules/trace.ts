/** Trace: passed on, started, joined from header and `_meta`, or removed. With `spans`, this hop has a span of its own. */
import { keys, type TraceContext } from 'waybill';
import { childTrace, IdPool, ignore, isFieldValue, parseTraceparent, readTraceHeaders, startTrace } from 'waybill/adapter';
import type { TraceConfig } from '../config/types.js';
import { own, textOf } from '../json/values.js';
import type { Hop, Rule } from './rule.js';
import { spanStarter, type HopSpan } from './traceSpans.js';

const KEYS = [keys.TRACEPARENT, keys.TRACESTATE, keys.BAGGAGE] as const;

export async function traceRule({ mode, spans }: TraceConfig): Promise<Rule | undefined> {
  if (mode === 'pass' && !spans) return undefined;
  const ids = new IdPool();
  const start = spans ? await spanStarter() : undefined;
  const open = new WeakMap<Hop, HopSpan>();

  function write(hop: Hop, trace: TraceContext): void {
    for (const key of KEYS) {
      const value = own(trace, key);
      if (hop.message.meta[key] !== value) hop.message.setMeta(key, value);
      // An upstream that reads headers only belongs to the same trace.
      if (typeof value === 'string' && isFieldValue(value)) hop.headers[key] = value;
      else Reflect.deleteProperty(hop.headers, key);
    }
  }

  return {
    name: `trace (${mode}${spans ? ', spans' : ''})`,
    request(hop) {
      const { message } = hop;
      if (message.kind !== 'request') return;
      if (mode === 'off') {
        write(hop, {});
        return;
      }
      const carried = traceIn(message.meta);
      const header = mode === 'join' ? readTraceHeaders(Object.entries(hop.received), ignore) : undefined;
      // TRACE-07: `_meta` is the parent, because the caller wrote it. Another trace in the headers is linked.
      const chosen = carried?.traceparent === undefined ? (header ?? carried) : carried;
      const lost = chosen === carried && header?.traceparent !== undefined && traceIdOf(header) !== traceIdOf(chosen) ? header : undefined;
      const isNew = chosen?.traceparent === undefined;
      const begun: TraceContext | undefined =
        isNew && mode !== 'pass' ? { ...chosen, ...startTrace({ traceId: ids.traceId(), parentId: ids.spanId(), random: true }) } : chosen;
      if (begun === undefined) return;
      const span = start?.(message.method, message.name, isNew ? undefined : begun, lost);
      if (span !== undefined) open.set(hop, span);
      const next = span?.trace ?? (spans && !isNew ? childTrace(begun, ids.spanId()) : undefined) ?? begun;
      write(hop, { ...next, ...(begun.baggage !== undefined && { baggage: begun.baggage }) });
      if (lost !== undefined)
        hop.report(
          `trace: the header names another trace than the message; ${span === undefined ? 'the header is dropped' : 'it is linked'}`,
        );
    },
    looksAt: (hop) => open.has(hop),
    answer(message, hop) {
      if (message.kind === 'notification' || message.kind === 'request') return;
      open.get(hop)?.end(message.kind === 'error');
      open.delete(hop);
    },
    ended(hop) {
      open.get(hop)?.end(true);
      open.delete(hop);
    },
  };
}

function traceIn(meta: Readonly<Record<string, unknown>>): TraceContext | undefined {
  const found = KEYS.flatMap((key) => (textOf(meta[key]) === undefined ? [] : [[key, meta[key]] as const]));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function traceIdOf(trace: TraceContext | undefined): string | undefined {
  return trace?.traceparent === undefined ? undefined : parseTraceparent(trace.traceparent)?.traceId;
}
