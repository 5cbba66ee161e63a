/** OpenInference's instrumentation of SDK v1, unchanged, as the other side: each continues the trace of the other. */
import { MCPInstrumentation } from '@arizeai/openinference-instrumentation-mcp';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import * as clientStdioModule from '@modelcontextprotocol/sdk/client/stdio.js';
import { context, propagation, trace } from '@opentelemetry/api';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientContext } from 'waybill/client';
import { telemetry } from './fixtures/trace/telemetry.mjs';
import { apiReceiver, otlpReceiver, type OtlpReceiver, type SpanRecord } from './receivers.js';

let otlp: OtlpReceiver;
let app: ReturnType<typeof telemetry>;
beforeAll(async () => {
  otlp = await otlpReceiver();
  app = telemetry('app', otlp.url);
});
afterAll(async () => {
  await app.close();
  trace.disable();
  context.disable();
  propagation.disable();
  await otlp.close();
});

const file = (name: string): string => fileURLToPath(new URL(`./fixtures/trace/${name}`, import.meta.url));
const stdio = (...args: string[]): clientStdioModule.StdioClientTransport =>
  new clientStdioModule.StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' });

/** Makes one call in a span of the application; returns the spans of its trace, by service and kind. */
async function called(transport: clientStdioModule.StdioClientTransport, count: number): Promise<Record<string, SpanRecord>> {
  const client = new Client({ name: 'app', version: '1' });
  await client.connect(transport);
  const span = trace.getTracer('app').startSpan('turn');
  await context.with(trace.setSpan(context.active(), span), () => client.callTool({ name: 'look', arguments: {} }));
  span.end();
  const spans = await otlp.until(count, span.spanContext().traceId);
  await client.close();
  return Object.fromEntries(spans.map((one) => [`${one.service} ${one.kind}`, one]));
}

describe('their server, before anything of theirs is in this process', () => {
  test('it continues the trace of our client', async () => {
    const spans = await called(clientContext(app.options).attach(stdio(file('openinference.mjs'), otlp.url)), 3);
    expect(spans['app client']?.parentSpanId).toBe(spans['app internal']?.spanId);
    expect(spans['openinference internal']?.parentSpanId).toBe(spans['app client']?.spanId);
  });

  test('it continues a trace that we only propagate', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const waybill = clientContext({ trace: `00-${traceId}-b7ad6b7169203331-01` });
    const client = new Client({ name: 'app', version: '1' });
    await client.connect(waybill.attach(stdio(file('openinference.mjs'), otlp.url)));
    await client.callTool({ name: 'look', arguments: {} });
    const [span] = await otlp.until(1, traceId);
    expect(span?.name).toBe('work');
    await client.close();
  });
});

describe('their client', () => {
  // Stays for the whole file: manual instrumentation cannot be undone.
  beforeAll(() => new MCPInstrumentation().manuallyInstrument({ clientStdioModule }));

  test.each(['v1', 'v2'])('our server (%s) continues its trace', async (sdk) => {
    const api = await apiReceiver();
    try {
      const spans = await called(stdio(file('leaf.mjs'), sdk, api.url, otlp.url), 2);
      expect(spans['leaf server']?.parentSpanId).toBe(spans['app internal']?.spanId);
      expect(api.headers.at(-1)?.['traceparent']).toContain(spans['leaf server']?.spanId);
    } finally {
      await api.close();
    }
  });

  test('with ours on the same transport it sends the span that ours made current', async () => {
    const spans = await called(clientContext(app.options).attach(stdio(file('openinference.mjs'), otlp.url)), 3);
    expect(spans['openinference internal']?.parentSpanId).toBe(spans['app client']?.spanId);
  });
});
