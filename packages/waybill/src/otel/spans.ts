/** One span and one measurement for every exchange, from the moment its request passes to its end, whatever that is. */
import { SpanKind, trace, type Attributes, type Context, type Link, type Span, type Tracer } from '@opentelemetry/api';
import type { Exchange, Message } from '../transport/index.js';
import { isObject, own } from '../wire/json.js';
import { noteInitialized, type Connection } from './connection.js';
import { captured, describe, type Known } from './describe.js';
import type { Metrics } from './metrics.js';
import { MCP_PROTOCOL_VERSION, PROGRESS, PROGRESS_EVENT, PROGRESS_TOTAL, TOOL_NAME, TOOL_RESULT } from './names.js';
import type { Settings } from './options.js';
import { markOurs, outerToolSpan } from './outer.js';
import { verdictOf } from './verdict.js';

/** What is kept of an exchange while it is open. */
export interface Note {
  readonly span: Span | undefined;
  /** An agent's span: it is not ours to end. */
  readonly joined: boolean;
  /** What is current while the exchange is under way. */
  readonly context: Context;
  readonly metric: Attributes;
  readonly since: number;
  /** Why the request could not be sent. */
  failure?: unknown;
}

export interface Spans {
  begin(message: Message, exchange: Exchange, parent: Context, links: Link[]): Note;
  end(exchange: Exchange, note: Note, refusal?: unknown): void;
  progress(message: Message, note: Note): void;
}

export function createSpans(tracer: Tracer, metrics: Metrics, known: Known, settings: Settings, connection: Connection): Spans {
  const { guard, capture } = settings;

  const start = (message: Message, exchange: Exchange, parent: Context, links: Link[]): Note => {
    const { name, metric, span: attributes } = describe(message, exchange, connection, known, settings);
    const since = performance.now();
    const isOurs = exchange.asked === 'us';
    const outer = isOurs && settings.joinToolSpan && exchange.method === 'tools/call' ? outerToolSpan(parent) : undefined;
    if (outer !== undefined) {
      outer.setAttributes(attributes);
      return { span: outer, joined: true, context: parent, metric, since };
    }
    const kind = isOurs ? SpanKind.CLIENT : SpanKind.SERVER;
    const root = settings.incoming === 'link' && !isOurs;
    const span = tracer.startSpan(name, { kind, attributes, root, ...(links.length > 0 && { links }) }, parent);
    markOurs(span);
    return { span, joined: false, context: trace.setSpan(parent, span), metric, since };
  };

  return {
    begin: (message, exchange, parent, links) =>
      guard(() => start(message, exchange, parent, links)) ?? {
        span: undefined,
        joined: false,
        context: parent,
        metric: {},
        since: performance.now(),
      },

    end(exchange, note, refusal) {
      guard(() => {
        const { span, joined, metric, since, failure } = note;
        const { attributes, status } = verdictOf(exchange, settings, { refusal, failure });
        const now = performance.now();
        if (exchange.method === 'initialize' && exchange.outcome === 'result') noteInitialized(connection, exchange, now);
        const settled =
          exchange.method === 'initialize' && connection.version !== undefined ? { [MCP_PROTOCOL_VERSION]: connection.version } : {};
        if (span?.isRecording() === true) {
          span.setAttributes({ ...settled, ...attributes });
          if (status !== undefined) span.setStatus(status);
          if (capture.has('results') && metric[TOOL_NAME] !== undefined) span.setAttribute(TOOL_RESULT, resultOf(exchange));
        }
        if (!joined) span?.end();
        metrics.operation(exchange.asked === 'us' ? 'client' : 'server', now - since, { ...metric, ...settled, ...attributes });
      });
    },

    progress(message, { span }) {
      guard(() => {
        const params = message['params'];
        if (message['method'] !== 'notifications/progress' || !isObject(params) || span === undefined) return;
        const [value, total] = [own(params, 'progress'), own(params, 'total')];
        span.addEvent(PROGRESS_EVENT, {
          ...(typeof value === 'number' && { [PROGRESS]: value }),
          ...(typeof total === 'number' && { [PROGRESS_TOTAL]: total }),
        });
      });
    },
  };
}

/** The conventions want the result of a tool that succeeded. */
function resultOf({ answer }: Exchange): string {
  const result = answer?.['result'];
  return isObject(result) ? captured(own(result, 'structuredContent') ?? own(result, 'content')) : '';
}
