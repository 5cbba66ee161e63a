/**
 * One trace across every hop: application → client → HTTP → server → stdio → server → HTTP, each server a process of its own, both SDKs,
 * both revisions; with spans exported through the real OpenTelemetry SDK, and without any.
 */
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientContext, type ClientContextOptions } from 'waybill/client';
import { httpTransport, peerOf, type ClientKind } from './clients.js';
import { telemetry } from './fixtures/trace/telemetry.mjs';
import { apiReceiver, otlpReceiver, startProcess, type OtlpReceiver, type SpanRecord } from './receivers.js';

const GENERATIONS: [ClientKind, 'v1' | 'v2', 'legacy' | 'modern'][] = [
  ['v1', 'v1', 'legacy'],
  ['v2-legacy', 'v2', 'legacy'],
  ['v2-pinned', 'v2', 'modern'],
];

interface Way {
  call(): Promise<any>;
  /** Headers of the last outbound request. */
  outbound(): Record<string, unknown>;
  close(): Promise<void>;
}

/** The whole path, with a client of ours at its beginning. */
async function way([kind, sdk, era]: (typeof GENERATIONS)[number], options: ClientContextOptions, otlp?: string): Promise<Way> {
  const api = await apiReceiver();
  const relay = await startProcess('relay.mjs', [sdk, era, api.url, ...(otlp === undefined ? [] : [otlp])]);
  const client = peerOf(kind);
  await client.connect(clientContext(options).attach(httpTransport(kind, relay.url, fetch)));
  return {
    call: () => client.callTool({ name: 'relay', arguments: {} }),
    outbound: () => api.headers.at(-1) ?? {},
    close: async () => {
      await client.close();
      await relay.close();
      await api.close();
    },
  };
}

describe('with OpenTelemetry', () => {
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

  test.concurrent.each(GENERATIONS)(
    'TRACE-11: %s client, %s servers, %s: one trace, each hop the child of the one before',
    async (...generation) => {
      const { call, outbound, close } = await way(generation, app.options, otlp.url);
      try {
        const span = trace.getTracer('app').startSpan('turn', { kind: SpanKind.INTERNAL });
        await context.with(trace.setSpan(context.active(), span), call);
        span.end();
        const { traceId } = span.spanContext();
        const spans = await otlp.until(5, traceId);
        const chain = ['turn', 'tools/call relay', 'tools/call relay', 'tools/call look', 'tools/call look'];
        const found: SpanRecord[] = [];
        for (let parent = ''; found.length < chain.length;) {
          const next = spans.find(({ parentSpanId }) => parentSpanId === parent);
          if (next === undefined) break;
          found.push(next);
          parent = next.spanId;
        }
        expect(found.map(({ service, kind, name }) => `${service} ${kind} ${name}`)).toEqual([
          'app internal turn',
          'app client tools/call relay',
          'relay server tools/call relay',
          'relay client tools/call look',
          'leaf server tools/call look',
        ]);
        // The outbound HTTP request of the last tool names the span of that tool.
        expect(outbound()['traceparent']).toBe(`00-${traceId}-${found[4]!.spanId}-01`);
        const version = generation[2] === 'modern' ? '2026-07-28' : '2025-11-25';
        expect(found.slice(1).map(({ attributes }) => attributes['mcp.protocol.version'])).toEqual([version, version, version, version]);
        expect(found.slice(1).map(({ attributes }) => attributes['network.transport'])).toEqual(['tcp', 'tcp', 'pipe', 'pipe']);
      } finally {
        await close();
      }
    },
  );
});

describe('without OpenTelemetry', () => {
  const TRACE = '0af7651916cd43dd8448eb211c80319c';
  const given = { traceparent: `00-${TRACE}-b7ad6b7169203331-01`, tracestate: 'vendor=1,other=2' };

  test.concurrent.each(GENERATIONS)(
    'TRACE-11: %s client, %s servers, %s: the same trace at the end, its state untouched',
    async (...generation) => {
      const { call, outbound, close } = await way(generation, {
        trace: { ...given, baggage: 'gen_ai.conversation.id=c1,user=alice' },
        baggage: ['gen_ai.conversation.id'],
      });
      try {
        const result = await call();
        const seen = JSON.parse(result.content[0].text);
        const headers = outbound();
        // The last server takes no part: the trace goes on byte for byte.
        expect({ traceparent: headers['traceparent'], tracestate: headers['tracestate'] }).toEqual({
          traceparent: seen.traceparent,
          tracestate: seen.tracestate,
        });
        expect(headers['traceparent']).toMatch(new RegExp(`^00-${TRACE}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`));
        expect(headers['tracestate']).toBe(given.tracestate);
        // Each client is a boundary: the one in the middle allows no baggage.
        expect(headers['baggage']).toBeUndefined();
      } finally {
        await close();
      }
    },
  );
});
