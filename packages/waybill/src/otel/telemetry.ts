import { context, trace } from '@opentelemetry/api';
import {
  hookServer,
  hookTransport,
  unlessInstrumented,
  type CopiedKeys,
  type Exchange,
  type Hooks,
  type Message,
  type RequestId,
  type Telemetry,
  type TransportLike,
} from '../transport/index.js';
import { errorAnswer, type ContextError } from '../wire/errors.js';
import type { HeaderSource } from '../wire/headers.js';
import type { Issue } from '../wire/issue.js';
import type { TraceContext } from '../wire/trace.js';
import { createCarrier } from './carrier.js';
import { connectionOf, httpConnection } from './connection.js';
import { createDescribe } from './describe.js';
import { contextOf, follow, propagate } from './follow.js';
import { createMetrics } from './metrics.js';
import { settle, type OpenTelemetryOptions } from './options.js';
import { parentage, spanIn } from './context.js';
import { SCOPE } from './names.js';
import { createSpans } from './spans.js';

export interface OpenTelemetry extends Telemetry {
  /**
   * Traces without another layer: a client's transport (`client.connect(otel.attach(transport))`), a server, or a function that makes
   * servers. Both halves take the whole object as `telemetry` instead.
   */
  attach<T extends object>(target: T): T;
  /** Returns headers or `_meta` keys that let the next hop continue the trace of the current span, in the spelling of the propagator. */
  carrier(exchange?: Exchange): TraceContext & Readonly<Record<string, string>>;
  /** Counts issues as a metric, by concern: `onIssue: otel.count`. */
  readonly count: (issue: Issue) => void;
}

/** Spans, metrics and propagation by the MCP semantic conventions. Components of OpenTelemetry that fail never break a call. */
export function openTelemetry(options: OpenTelemetryOptions = {}): OpenTelemetry {
  const settings = settle(options);
  const carrier = createCarrier(settings, options.propagator);
  const metrics = createMetrics(options.meterProvider);
  const tracer = (options.tracerProvider ?? trace).getTracer(SCOPE);
  const describe = createDescribe();

  const around = (inner: Hooks, transport: TransportLike, alone = false): Hooks => {
    if (settings.mode === 'off') return inner;
    const hooks = settings.mirror === false ? inner : { ...inner, mirror: mirrored(inner) };
    const connection = connectionOf(transport);
    if (settings.mode === 'propagate') return propagate(hooks, { carrier, settings, connection, alone });
    const spans = createSpans(tracer, metrics, describe, settings, connection);
    return follow(hooks, { carrier, settings, connection, metrics, spans, alone });
  };

  const mirrored = ({ mirror = [], onIssue = settings.report }: Hooks): CopiedKeys => {
    const fields = carrier.fields();
    const ours = settings.mirror === 'always' ? fields : unlessInstrumented(fields, onIssue);
    return () => [...new Set([ours, mirror].flatMap((keys) => (typeof keys === 'function' ? keys() : keys)))];
  };

  /** No transport sees a request that an HTTP edge answers or refuses, so it gets a span without a length here. */
  const atEdge = (message: Message, headers: HeaderSource | undefined, error?: ContextError): void => {
    if (settings.mode !== 'spans') return;
    settings.guard(() => {
      const exchange: Exchange = {
        id: message['id'] as RequestId,
        method: String(message['method']),
        sender: 'them',
        request: message,
        extra: { request: { headers } },
        outcome: error === undefined ? 'result' : 'error',
        ...(error && { answer: errorAnswer(message['id'], error) }),
      };
      const connection = httpConnection();
      const spans = createSpans(tracer, metrics, describe, settings, connection);
      const { context: parent, links } = parentage(message, exchange, connection, carrier, settings);
      spans.end(exchange, spans.begin(message, exchange, parent, links));
    });
  };

  const alone: Hooks = { telemetry: { around: (hooks, transport) => around(hooks, transport, true), carrier: () => ({}) } };
  const onTransport = (transport: TransportLike): void => void hookTransport(transport, alone);

  return {
    around: (hooks, transport) => around(hooks, transport),
    atEdge,
    starts: settings.mode === 'spans',
    fields: () => carrier.fields(),
    attach(target) {
      if (isTransport(target)) onTransport(target);
      else return hookServer(target, onTransport, 'attach');
      return target;
    },
    carrier(exchange) {
      if (settings.mode === 'off') return {};
      const active = context.active();
      return carrier.inject(exchange === undefined || spanIn(active) !== undefined ? active : contextOf(exchange)) ?? {};
    },
    count: (issue) => settings.guard(() => metrics.issue(issue)),
  };
}

function isTransport(target: object): target is TransportLike {
  return typeof (target as Partial<TransportLike>).send === 'function';
}
