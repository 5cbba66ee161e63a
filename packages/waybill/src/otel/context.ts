import { context, INVALID_TRACEID, trace, type Context, type Link, type Span, type SpanContext } from '@opentelemetry/api';
import type { Exchange, Message } from '../transport/index.js';
import { headersIn } from '../transport/sdk.js';
import { isObject, own, without, type Meta } from '../wire/json.js';
import { metaOf, withMeta } from '../wire/message.js';
import type { Carrier } from './carrier.js';
import type { TracedConnection } from './connection.js';
import type { Settings } from './options.js';
import { BAGGAGE, PROGRESS_TOKEN, TRACEPARENT } from '../wire/keys.js';

/** The context that a request is served under, and the links of its span. */
interface Parentage {
  readonly context: Context;
  readonly links: Link[];
}

/**
 * TRACE-07: the context in `_meta` is the parent, and that of the transport is linked: the current span if HTTP is traced too, or else the
 * HTTP headers. If `_meta` has none, the transport's is the parent (TRACE-08: the two may differ). D-25: `link` starts a new trace and
 * links them all, so the caller's sampled flag has no effect; `ignore` reads nothing of the caller.
 */
export function parentage(
  message: Message,
  exchange: Exchange,
  connection: TracedConnection,
  carrier: Carrier,
  { incoming }: Settings,
): Parentage {
  const ambient = connection.hasAmbient ? context.active() : trace.deleteSpan(context.active());
  if (incoming === 'ignore') return { context: ambient, links: NONE };
  const current = spanIn(ambient);
  const meta = metaOf(message, 'request');
  // A trace in `_meta` replaces the current span. Baggage may stand alone, and still belongs to the caller.
  const told = isObject(meta) ? carrier.fromMeta(ambient, meta) : ambient;
  const found = spanIn(told);
  const caller = found === current ? undefined : found;
  // The current span has already read the headers.
  const headers = current === undefined ? headersIn(exchange.extra) : undefined;
  const transport = headers === undefined ? told : carrier.fromHeaders(ambient, headers);
  const carried = headers === undefined ? current : spanIn(transport);
  if (incoming === 'link') return { context: trace.deleteSpan(told), links: [...link(caller), ...link(carried, caller)] };
  if (caller !== undefined) return { context: told, links: link(carried, caller) };
  if (carried === undefined || told === ambient) return { context: carried === undefined ? told : transport, links: NONE };
  return { context: withSpan(told, trace.getSpan(transport)), links: NONE };
}

function withSpan(onto: Context, span: Span | undefined): Context {
  return span === undefined ? onto : trace.setSpan(onto, span);
}

const NONE: Link[] = [];

function link(other: SpanContext | undefined, parent?: SpanContext): Link[] {
  return other === undefined || other.spanId === parent?.spanId ? NONE : [{ context: other }];
}

/** Returns the span of a context, if it is a real one: without a tracer the ids are zeros. */
export function spanIn(from: Context): SpanContext | undefined {
  const span = trace.getSpanContext(from);
  return span === undefined || span.traceId === INVALID_TRACEID ? undefined : span;
}

/**
 * Chooses the context of a request of ours: first a trace that the caller wrote on this request, then the current span, then the leg before
 * this one (IX-14), then what the layer would have sent.
 */
export function askingContext(callers: Message, message: Message, before: Context | undefined, carrier: Carrier): Context {
  const active = context.active();
  const current = spanIn(active);
  const explicit = metaWithTrace(callers, 'request');
  if (explicit !== undefined) {
    const told = carrier.fromMeta(current === undefined ? active : trace.deleteSpan(active), explicit);
    if (spanIn(told) !== undefined) return told;
  }
  if (current !== undefined) return active;
  if (before !== undefined) return before;
  const layers = callers === message ? undefined : metaWithTrace(message, 'request');
  return layers === undefined ? active : carrier.fromMeta(active, layers);
}

function metaWithTrace(message: Message, kind: 'request' | 'notification'): Meta | undefined {
  const meta = metaOf(message, kind);
  return isObject(meta) && own(meta, TRACEPARENT) !== undefined ? meta : undefined;
}

/** True if the message names its trace. */
export function hasTrace(message: Message, kind: 'request' | 'notification'): boolean {
  return metaWithTrace(message, kind) !== undefined;
}

/** Writes the keys of a context into a message and removes those of another trace. Baggage in the message was allowed before. */
export function carrying(message: Message, kind: 'request' | 'notification', current: Context, carrier: Carrier): Message {
  const found = metaOf(message, kind);
  if (found !== undefined && !isObject(found)) return message;
  const carried = carrier.inject(current);
  if (carried === undefined) return message;
  if (found === undefined) return withMeta(message, kind, carried) ?? message;
  const kept = own(found, BAGGAGE);
  const meta = { ...withoutTrace(found, carrier), ...carried };
  if (kept !== undefined) meta[BAGGAGE] = kept;
  return withMeta(message, kind, meta) ?? message;
}

/** Keys of another trace would stay beside ours: its tracestate, or the keys of a propagator. Those are bare names (SEP-414). */
function withoutTrace(meta: Meta, carrier: Carrier): Meta {
  for (const key in meta) {
    if (key === PROGRESS_TOKEN || key === BAGGAGE || key.includes('/')) continue;
    return without(
      meta,
      carrier.fields().filter((name) => name !== BAGGAGE),
    );
  }
  return meta;
}
