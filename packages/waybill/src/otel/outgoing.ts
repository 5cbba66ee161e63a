import { context, trace, type Context } from '@opentelemetry/api';
import type { Message } from '../transport/index.js';
import { isObject, own, type Meta } from '../wire/json.js';
import { BAGGAGE, PROGRESS_TOKEN, TRACEPARENT } from '../wire/keys.js';
import { metaOf, withMeta } from '../wire/message.js';
import type { Carrier } from './carrier.js';
import { spanIn } from './parent.js';

/**
 * Chooses the context of a request of ours: first a trace that the caller wrote on this request, then the current span, then the leg before
 * this one (IX-14), then what the layer would have sent.
 */
export function askingContext(callers: Message, message: Message, before: Context | undefined, carrier: Carrier): Context {
  const active = context.active();
  const current = spanIn(active);
  const explicit = metaWithTrace(callers);
  if (explicit !== undefined) {
    const told = carrier.fromMeta(current === undefined ? active : trace.deleteSpan(active), explicit);
    if (spanIn(told) !== undefined) return told;
  }
  if (current !== undefined) return active;
  if (before !== undefined) return before;
  const layers = callers === message ? undefined : metaWithTrace(message);
  return layers === undefined ? active : carrier.fromMeta(active, layers);
}

function metaWithTrace(message: Message): Meta | undefined {
  const meta = metaOf(message, 'request');
  return isObject(meta) && own(meta, TRACEPARENT) !== undefined ? meta : undefined;
}

/** True if the caller itself names the trace of this message. */
export function hasOwnTrace(message: Message, kind: 'request' | 'notification'): boolean {
  const meta = metaOf(message, kind);
  return isObject(meta) && own(meta, TRACEPARENT) !== undefined;
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
    const fields = carrier.fields();
    return Object.fromEntries(Object.entries(meta).filter(([name]) => name === BAGGAGE || !fields.includes(name)));
  }
  return meta;
}
