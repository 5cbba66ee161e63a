/** A real OpenTelemetry SDK that keeps its spans and metrics, and two ends of a wire to trace. */
import { context, metrics, propagation, SpanKind, trace, type TextMapPropagator } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type Sampler,
} from '@opentelemetry/sdk-trace-base';

export type Message = Record<string, any>;

export interface Lab {
  readonly provider: BasicTracerProvider;
  /** The finished spans, oldest first. */
  spans(): ReadableSpan[];
  /** The one finished span of a kind, by name. */
  span(kind: 'client' | 'server' | 'internal', name?: string): ReadableSpan;
  /** Data points of a metric. */
  points(name: string): Promise<{ attributes: Record<string, unknown>; value: any }[]>;
  reset(): void;
  close(): Promise<void>;
}

const KINDS = { client: SpanKind.CLIENT, server: SpanKind.SERVER, internal: SpanKind.INTERNAL };

/** Registers everything globally, as an application does. */
export function openLab(options: { propagator?: TextMapPropagator; sampler?: Sampler } = {}): Lab {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
    ...(options.sampler && { sampler: options.sampler }),
  });
  const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  trace.setGlobalTracerProvider(provider);
  metrics.setGlobalMeterProvider(meters);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(
    options.propagator ?? new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  );
  const spans = (): ReadableSpan[] => exporter.getFinishedSpans();
  return {
    provider,
    spans,
    span(kind, name) {
      const found = spans().filter((span) => span.kind === KINDS[kind] && (name === undefined || span.name === name));
      if (found.length !== 1)
        throw new Error(
          `${found.length} spans of kind ${kind}: ${spans()
            .map((span) => span.name)
            .join(', ')}`,
        );
      return found[0]!;
    },
    async points(name) {
      await reader.forceFlush();
      const all =
        measured
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
      return all.filter(({ descriptor }) => descriptor.name === name).flatMap(({ dataPoints }) => dataPoints as never);
    },
    reset: () => exporter.reset(),
    async close() {
      await provider.shutdown();
      await meters.shutdown();
      trace.disable();
      metrics.disable();
      context.disable();
      propagation.disable();
    },
  };
}

/** One end of a wire that carries JSON, as plain as the SDKs' transports allow. */
export class End {
  peer!: End;
  failing: Error | undefined;
  readonly sent: Message[] = [];
  readonly received: Message[] = [];
  /** The transport's facts about an incoming request. */
  extra: unknown;
  sessionId?: string;
  onmessage?: (message: any, extra?: unknown) => void;
  onclose?: () => void;

  async send(message: any): Promise<void> {
    if (this.failing) throw this.failing;
    this.sent.push(message);
    const text = JSON.stringify(message);
    this.peer.arrive(JSON.parse(text) as Message);
  }
  arrive(message: Message): void {
    this.received.push(message);
    this.onmessage?.(message, this.extra);
  }
  async close(): Promise<void> {
    this.onclose?.();
  }
}

export function wire<A extends End = End, B extends End = End>(a: A = new End() as A, b: B = new End() as B): [A, B] {
  [a.peer, b.peer] = [b, a];
  return [a, b];
}

export const request = (method: string, params?: Message, id: number | string = 1): Message => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
export const call = (params: Message = {}, id: number | string = 1): Message =>
  request('tools/call', { name: 'echo', arguments: {}, ...params }, id);
export const result = (id: unknown, value: Message = { content: [] }): Message => ({ jsonrpc: '2.0', id, result: value });
export const failure = (id: unknown, code: number, message = 'no'): Message => ({ jsonrpc: '2.0', id, error: { code, message } });

export const metaOf = (message: Message | undefined): Message => message?.['params']?._meta ?? {};
export const traceIdOf = (text: string): string => text.split('-')[1]!;
export const spanIdOf = (text: string): string => text.split('-')[2]!;
