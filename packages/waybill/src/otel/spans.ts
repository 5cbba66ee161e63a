/** One span and one measurement for every exchange, from its request to its end. */
import { SpanKind, trace, type Attributes, type Context, type Link, type Span, type SpanOptions, type Tracer } from '@opentelemetry/api';
import type { Exchange, Message } from '../transport/index.js';
import { isObject, own } from '../wire/json.js';
import { noteInitialized, type TracedConnection } from './connection.js';
import { captured, detail, type Describe } from './describe.js';
import type { Metrics } from './metrics.js';
import {
  MCP_PROTOCOL_VERSION,
  PROGRESS,
  PROGRESS_EVENT,
  PROGRESS_TOTAL,
  TOOL_NAME,
  TOOL_RESULT,
  EXECUTE_TOOL,
  OPERATION,
  SCOPE,
} from './names.js';
import type { Settings } from './options.js';
import { verdictOf } from './verdict.js';

/** Notes about an open exchange. */
export interface Note {
  readonly span: Span | undefined;
  /** True for an agent's span, which is not ours to end. */
  readonly joined: boolean;
  /** The current context during the exchange. */
  readonly context: Context;
  readonly metric: Attributes;
  readonly since: number;
}

export interface Spans {
  begin(message: Message, exchange: Exchange, parent: Context, links: Link[]): Note;
  end(exchange: Exchange, note: Note, refusal?: unknown): void;
  progress(message: Message, note: Note): void;
}

export function createSpans(tracer: Tracer, metrics: Metrics, describe: Describe, settings: Settings, connection: TracedConnection): Spans {
  const { fault, guard, capture } = settings;

  const start = (message: Message, exchange: Exchange, parent: Context, links: Link[]): Note => {
    const description = describe(message, exchange, connection);
    const { name, metric } = description;
    const since = performance.now();
    const isOurs = exchange.sender === 'us';
    const outer = isOurs && settings.joinToolSpan && exchange.method === 'tools/call' ? outerToolSpan(parent) : undefined;
    outer?.setAttributes(metric);
    const span = outer ?? tracer.startSpan(name, optionsOf(isOurs, metric, links), parent);
    // The span has begun, so it must be ended even if the tracer fails.
    guard(() => {
      if (span.isRecording()) detail(span, message, exchange, connection, description, settings);
    });
    return { span, joined: outer !== undefined, context: outer === undefined ? trace.setSpan(parent, span) : parent, metric, since };
  };

  const optionsOf = (isOurs: boolean, attributes: Attributes, links: Link[]): SpanOptions => ({
    kind: isOurs ? SpanKind.CLIENT : SpanKind.SERVER,
    attributes,
    root: settings.incoming === 'link' && !isOurs,
    links,
  });

  const finish = (exchange: Exchange, { span, joined, since, metric }: Note, refusal: unknown): void => {
    const { attributes, status } = verdictOf(exchange, settings, refusal);
    const now = performance.now();
    const added = exchange.method === 'initialize' ? { ...settled(exchange, connection, now), ...attributes } : attributes;
    guard(() => {
      if (span?.isRecording() !== true) return;
      if (added !== undefined) span.setAttributes(added);
      if (status !== undefined) span.setStatus(status);
      if (capture.has('results') && metric[TOOL_NAME] !== undefined) span.setAttribute(TOOL_RESULT, resultOf(exchange));
    });
    if (!joined) span?.end();
    metrics.operation(exchange.sender === 'us' ? 'client' : 'server', now - since, added === undefined ? metric : { ...metric, ...added });
  };

  return {
    begin(message, exchange, parent, links) {
      try {
        return start(message, exchange, parent, links);
      } catch (error) {
        fault(error);
        return { span: undefined, joined: false, context: parent, metric: {}, since: performance.now() };
      }
    },

    end(exchange, note, refusal) {
      try {
        finish(exchange, note, refusal);
      } catch (error) {
        fault(error);
      }
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

/** Returns the revision that `initialize` has agreed on, as an attribute. */
function settled(exchange: Exchange, connection: TracedConnection, now: number): Attributes {
  if (exchange.outcome === 'result') noteInitialized(connection, exchange, now);
  return connection.version === undefined ? {} : { [MCP_PROTOCOL_VERSION]: connection.version };
}

/** Returns the result of a tool as the conventions want it on a span: the structured content, or else the content. */
function resultOf({ answer }: Exchange): string {
  const result = answer?.['result'];
  return isObject(result) ? captured(own(result, 'structuredContent') ?? own(result, 'content')) : '';
}

/** The readable members of a span of the SDK; with the API alone nothing can be read. */
interface Readable {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly kind?: SpanKind;
  readonly instrumentationScope?: { readonly name?: string };
}

/**
 * Finds the span of an agent's instrumentation that already traces the tool call about to be sent: one call must not have two spans. Our
 * own spans have `execute_tool` too and do not count. If spans cannot be read, none is found.
 */
function outerToolSpan(active: Context): Span | undefined {
  const span = trace.getSpan(active);
  if (span === undefined) return undefined;
  const { attributes, kind, instrumentationScope } = span as Readable;
  const isOuter = attributes?.[OPERATION] === EXECUTE_TOOL && kind !== SpanKind.SERVER && instrumentationScope?.name !== SCOPE;
  return isOuter && span.isRecording() ? span : undefined;
}
