/** Sends the spans of the hops to an OTLP collector. A program that embeds the gateway and has OpenTelemetry of its own does not need this. */
import { optional } from './optional.js';

const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
];

export interface Tracing {
  /** Sends what has not been sent. */
  close(): Promise<void>;
}

/** Throws if a package is missing. */
export async function checkTracing(): Promise<void> {
  await load();
}

const load = () =>
  optional(PACKAGES, 'otlp', () =>
    Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]),
  );

/** `collector`: its base address, such as http://127.0.0.1:4318. */
export async function startTracing(collector: string): Promise<Tracing> {
  const [{ trace }, { BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] = await load();
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'waybill-gateway' }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: new URL('v1/traces', `${collector.replace(/\/$/, '')}/`).href }))],
  });
  // False if the program that embeds the gateway has set one of its own: that stays.
  const isOurs = trace.setGlobalTracerProvider(provider);
  return {
    async close() {
      await provider.shutdown().catch(() => undefined);
      if (isOurs) trace.disable();
    },
  };
}
