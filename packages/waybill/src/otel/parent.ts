import { context, ROOT_CONTEXT, trace, type Context, type Link, type SpanContext } from '@opentelemetry/api';
import type { Exchange, Message } from '../transport/index.js';
import { isObject } from '../wire/json.js';
import { metaOf } from '../wire/message.js';
import type { Carrier } from './carrier.js';
import { headersOf } from './connection.js';
import type { Settings } from './options.js';

/** Under which context a request is served, and what its span is linked to. */
export interface Parentage {
  readonly context: Context;
  readonly links: Link[];
}

/**
 * TRACE-07: the context in `_meta` is the parent, and the one of the transport is linked: the span that is current because HTTP is
 * traced too, or else what the HTTP headers say. Where `_meta` has none, the transport's is the parent (TRACE-08: the two may differ).
 * D-25: `link` starts a new trace and links them all, so the caller's sampled flag decides nothing; `ignore` looks at no caller.
 */
export function parentage(message: Message, exchange: Exchange, carrier: Carrier, { incoming }: Settings): Parentage {
  const ambient = context.active();
  if (incoming === 'ignore') return { context: ambient, links: [] };
  const current = spanIn(ambient);
  const bare = current === undefined ? ambient : trace.deleteSpan(ambient);
  const meta = metaOf(message, 'request');
  const told = isObject(meta) ? carrier.fromMeta(bare, meta) : bare;
  const caller = spanIn(told);
  // A span that is current has had its own look at the headers.
  const headers = current === undefined ? headersOf(exchange) : undefined;
  const transport = headers === undefined ? ambient : carrier.fromHeaders(bare, headers);
  const carried = spanIn(transport);
  if (incoming === 'link') return { context: trace.deleteSpan(told), links: links(undefined, caller, carried) };
  if (caller !== undefined) return { context: told, links: links(caller, carried) };
  if (carried === undefined) return { context: told, links: [] };
  // Baggage may stand alone in `_meta`, and it is the caller's all the same.
  return { context: withSpanOf(transport, told === bare ? transport : told), links: [] };
}

function withSpanOf(from: Context, onto: Context): Context {
  const span = trace.getSpan(from);
  return span === undefined ? onto : trace.setSpan(onto, span);
}

function links(parent: SpanContext | undefined, ...others: (SpanContext | undefined)[]): Link[] {
  const found: Link[] = [];
  for (const other of others) {
    if (other !== undefined && other.spanId !== parent?.spanId && !found.some((link) => link.context.spanId === other.spanId))
      found.push({ context: other });
  }
  return found;
}

export function spanIn(from: Context): SpanContext | undefined {
  if (from === ROOT_CONTEXT) return undefined;
  const span = trace.getSpanContext(from);
  return span !== undefined && trace.isSpanContextValid(span) ? span : undefined;
}
