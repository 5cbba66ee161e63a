import { context, trace, type Context } from '@opentelemetry/api';
import type { Message } from '../transport/index.js';
import { isObject, own, type Meta } from '../wire/json.js';
import { BAGGAGE, PROGRESS_TOKEN, TRACEPARENT } from '../wire/keys.js';
import { metaOf, withMeta } from '../wire/message.js';
import type { Carrier } from './carrier.js';
import { spanIn } from './parent.js';

/**
 * Under which context a request of ours is sent. A trace that the caller wrote on this very request comes first, then the span that is
 * current; then the leg before this one (IX-14), and what the layer would have sent on its own.
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

/** Whether the caller itself says which trace this message belongs to. */
export function hasOwnTrace(message: Message, kind: 'request' | 'notification'): boolean {
  const meta = metaOf(message, kind);
  return isObject(meta) && own(meta, TRACEPARENT) !== undefined;
}

/** The message with the keys of a context, in place of those that tell of another. Baggage that is there was allowed by who put it there. */
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

/** What tells of another trace would stay beside ours: a tracestate of its own, or the keys of a propagator. Those are bare names (SEP-414). */
function withoutTrace(meta: Meta, carrier: Carrier): Meta {
  for (const key in meta) {
    if (key === PROGRESS_TOKEN || key === BAGGAGE || key.includes('/')) continue;
    const fields = carrier.fields();
    return Object.fromEntries(Object.entries(meta).filter(([name]) => name === BAGGAGE || !fields.includes(name)));
  }
  return meta;
}
