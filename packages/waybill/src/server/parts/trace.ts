/**
 * Trace on the server (SEP-414): the caller's trace, and what goes on to outbound calls. Without `telemetry` nothing is recorded, so the
 * texts go on as they came (TRACE-11), unless the option says that the server takes part. Spans belong to `waybill/otel`.
 */
import { IdPool, type Telemetry } from '../../transport/index.js';
import { BAGGAGE, TRACEPARENT, TRACESTATE } from '../../wire/keys.js';
import { childTrace, filterBaggage, forwardHeaders, startTrace, traceIn, type TraceContext } from '../../wire/trace.js';
import type { RequestTrace } from '../context.js';
import type { ServerContextOptions } from '../options.js';
import type { ServerPart, ServerRequest } from '../part.js';

const KEYS = [TRACEPARENT, TRACESTATE, BAGGAGE] as const;

interface Rules {
  readonly incoming: 'parent' | 'link' | 'ignore';
  /** `undefined`: all of it. */
  readonly baggage: readonly string[] | undefined;
  readonly takesPart: boolean;
  readonly ids: IdPool;
  readonly telemetry: Telemetry | undefined;
}

export function trace({
  trace: { incoming = 'parent', takesPart = false } = {},
  telemetry,
  baggage,
  random,
}: ServerContextOptions): ServerPart {
  // D-25: if the caller's trace is not trusted, its baggage needs a list too.
  const allowed = baggage ?? (incoming === 'parent' ? undefined : []);
  const rules: Rules = { incoming, baggage: allowed, takesPart, ids: new IdPool(random), telemetry };
  return { name: 'trace', provides: { trace: (request) => new LazyTrace(request, rules) } };
}

class LazyTrace implements RequestTrace {
  readonly #request: ServerRequest;
  readonly #rules: Rules;
  /** The trace of the HTTP headers; `null` until it is read. */
  #http: TraceContext | undefined | null = null;
  #own: TraceContext | undefined;

  constructor(request: ServerRequest, rules: Rules) {
    this.#request = request;
    this.#rules = rules;
  }

  get parent(): TraceContext | undefined {
    this.#request.answer.caching.noteCaller();
    return this.#continued();
  }

  get link(): TraceContext | undefined {
    this.#request.answer.caching.noteCaller();
    if (this.#rules.incoming === 'link') return this.#caller();
    const parent = this.#inMeta()?.traceparent;
    const http = parent === undefined ? undefined : this.#inHttp();
    return http?.traceparent === parent ? undefined : http;
  }

  /** If telemetry or the random source fails, the caller's trace goes on as it came. */
  carrier(): TraceContext {
    try {
      const traced = this.#rules.telemetry?.carrier(this.#request.exchange);
      if (traced !== undefined && Object.keys(traced).length > 0) return traced;
      return (this.#own ??= this.#ours());
    } catch (error) {
      this.#request.fault(error);
      return this.#continued() ?? {};
    }
  }

  headers(...[existing, options]: Parameters<RequestTrace['headers']>): Record<string, string> {
    const others = Object.entries(this.#request.received.meta).filter(([key]) => !(KEYS as readonly string[]).includes(key));
    return forwardHeaders({ ...Object.fromEntries<unknown>(others), ...this.carrier() }, existing, options);
  }

  #continued(): TraceContext | undefined {
    return this.#rules.incoming === 'parent' ? this.#caller() : undefined;
  }

  /** TRACE-07, TRACE-08: `_meta` comes first, and HTTP replaces it if it has no parent; the two need not agree. */
  #caller(): TraceContext | undefined {
    const meta = this.#inMeta();
    const http = meta?.traceparent === undefined ? this.#inHttp() : undefined;
    if (http === undefined) return meta;
    return meta?.baggage === undefined ? http : { ...http, [BAGGAGE]: meta.baggage };
  }

  #inMeta(): TraceContext | undefined {
    return this.#rules.incoming === 'ignore' ? undefined : this.#request.received.trace;
  }

  #inHttp(): TraceContext | undefined {
    if (this.#http === null) {
      const { headers } = this.#request;
      const ignored = this.#rules.incoming === 'ignore' || headers === undefined;
      this.#http = ignored ? undefined : traceIn(headers, (issue) => this.#request.report(issue));
    }
    return this.#http;
  }

  #ours(): TraceContext {
    const { incoming, baggage: allowed, takesPart, ids } = this.#rules;
    const came = this.#caller();
    if (came !== undefined && incoming === 'parent' && !takesPart && (came.baggage === undefined || allowed === undefined)) return came;
    const kept = came?.baggage === undefined ? undefined : allowed === undefined ? came.baggage : filterBaggage(came.baggage, allowed);
    const { baggage: _, ...parent } = came ?? {};
    // D-25: a new trace begins here; the caller's sampled flag is ignored, and nothing here decides to record.
    const begun = (): TraceContext => startTrace({ traceId: ids.traceId(), parentId: ids.spanId(), random: true });
    const goesOn = incoming === 'link' ? begun() : takesPart ? (childTrace(parent, ids.spanId()) ?? parent) : parent;
    return kept === undefined ? goesOn : { ...goesOn, [BAGGAGE]: kept };
  }
}
