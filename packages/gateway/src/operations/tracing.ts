/** Sends the spans of the hops to an OTLP collector. A program that embeds the gateway and has OpenTelemetry of its own does not need this. */
import { setTimeout as pause } from 'node:timers/promises';
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

/** Milliseconds that the last spans have to be sent in. A collector that is away must not hold up the end. */
const LAST = 2_000;

/** `collector`: its base address, such as http://127.0.0.1:4318. `tell`: that spans are lost, and that they are no longer. */
export async function startTracing(collector: string, tell: (line: string) => void): Promise<Tracing> {
  const [{ trace }, { BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] = await load();
  const exporter = new OTLPTraceExporter({ url: new URL('v1/traces', `${collector.replace(/\/$/, '')}/`).href });
  let isLosing = false;
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      if (result.error !== undefined && !isLosing)
        tell(`otlp: spans cannot be sent to ${new URL(collector).host}: ${result.error.message}`);
      if (result.error === undefined && isLosing) tell(`otlp: spans can be sent to ${new URL(collector).host} again`);
      isLosing = result.error !== undefined;
      done(result);
    });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'waybill-gateway' }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  // False if the program that embeds the gateway has set one of its own: that stays.
  const isOurs = trace.setGlobalTracerProvider(provider);
  return {
    async close() {
      const late = new AbortController();
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        pause(LAST, undefined, { signal: late.signal }).catch(() => undefined),
      ]);
      late.abort();
      if (isOurs) trace.disable();
    },
  };
}
