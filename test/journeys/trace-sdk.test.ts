/** Tracing on the real SDKs in one process: a client sees no difference, each leg has its span, HTTP headers serve as parent. */
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clientContext } from 'waybill/client';
import { openTelemetry } from 'waybill/otel';
import { contextOf, serverContext } from 'waybill/server';
import { openLab, traceIdOf, type Lab } from '../otel/lab.js';
import { openRig, SDKS } from '../support/server-rig.js';
import { nameOf, open, type Cell, type Layers } from './harness.js';
import { travel, type Told } from './scenario.js';
import { plain } from './telling.js';

let lab: Lab;
beforeAll(() => {
  lab = openLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

const CELLS: Cell[] = [
  { client: 'v1', server: 'v1', transport: 'memory' },
  { client: 'v2-legacy', server: 'wired', transport: 'memory' },
  { client: 'v2-modern', server: 'v2', transport: 'memory' },
  { client: 'v1', server: 'v1', transport: 'http-sse' },
  { client: 'v2-legacy', server: 'v2', transport: 'http-sse' },
  { client: 'v2-modern', server: 'v2', transport: 'http-sse' },
];

const layers = (): Layers => {
  const otel = openTelemetry();
  return { client: { transport: (transport) => otel.attach(transport) }, server: { server: (target) => otel.attach(target) } };
};

async function told(cell: Cell, given: Layers = {}): Promise<Told[]> {
  const journey = await open(cell, given);
  try {
    // The tool that shows its `_meta` would show the trace, and so would notifications and questions.
    return withoutTrace(plain(await travel(journey)).filter(([step]) => step !== 'own _meta'));
  } finally {
    await journey.close();
  }
}

function withoutTrace<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (key, item: unknown) => {
    if (key !== '_meta' || typeof item !== 'object' || item === null) return item;
    const { traceparent: _, ...others } = item as { traceparent?: string };
    return Object.keys(others).length === 0 ? undefined : others;
  }) as T;
}

describe('with spans', () => {
  test.each(CELLS.map((cell) => [nameOf(cell), cell] as const))('%s: the client sees no difference', async (_name, cell) => {
    const [traced, bare] = await Promise.all([told(cell, layers()), told(cell)]);
    expect(traced).toEqual(bare);
    const spans = lab.spans();
    const servers = spans.filter(({ kind }) => kind === SpanKind.SERVER);
    const clients = new Set(spans.filter(({ kind }) => kind === SpanKind.CLIENT).map((span) => span.spanContext().spanId));
    expect(servers.length).toBeGreaterThan(20);
    const counted = spans.filter(({ name }) => name === 'tools/call count').map(({ events }) => events.length);
    expect(counted).toEqual([3, 3]);
    if (cell.server === 'v1' && cell.transport === 'http-sse') expect(servers.at(-1)?.attributes['mcp.session.id']).toMatch(/-/);
    // Every served request has a client span of ours, and every span has ended.
    expect(servers.filter((span) => !clients.has(span.parentSpanContext?.spanId ?? ''))).toEqual([]);
  });
});

describe.each(SDKS)('an error that a tool throws, SDK %s', (sdk) => {
  test('its span and its measurement are those of an error, although the SDK turned it into a result', async () => {
    const waybill = serverContext({ telemetry: openTelemetry() });
    const tools = {
      own: (ctx: object) => {
        throw contextOf(ctx).error(-32_050, 'no');
      },
      needs: (ctx: object) => contextOf(ctx).capabilities.requireCapability('sampling'),
    };
    const rig = await openRig(sdk, tools as never, (server) => waybill.attach(server));
    for (const tool of ['own', 'needs']) await rig.call(tool);
    const codes = { own: '-32050', needs: '-32021' };
    for (const [tool, code] of Object.entries(codes)) {
      const span = lab.spans().find(({ name }) => name === `tools/call ${tool}`);
      expect(span).toMatchObject({
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': code, 'rpc.response.status_code': code },
      });
    }
    const points = await lab.points('mcp.server.operation.duration');
    expect(points.map(({ attributes }) => attributes['error.type'])).toEqual(expect.arrayContaining(Object.values(codes)));
  });
});

describe('IX-14: legs of a multi-round-trip call', () => {
  const cell: Cell = { client: 'v2-modern', server: 'v2', transport: 'memory' };
  const ask = async (given: Layers): Promise<string[]> => {
    const journey = await open(cell, given);
    journey.client.onElicit(() => ({ action: 'accept', content: { colour: 'green' } }));
    await journey.client.callTool({ name: 'ask', arguments: {} });
    const sent = journey.wire().sent.filter(({ params }) => params?.name === 'ask');
    await journey.close();
    return sent.map(({ params }) => params._meta.traceparent);
  };

  test('with spans: one for each leg, in one trace, without a span of the application', async () => {
    const [first, second, ...more] = await ask(layers());
    expect(more).toEqual([]);
    expect(traceIdOf(second!)).toBe(traceIdOf(first!));
    const spans = lab.spans().filter(({ name }) => name === 'tools/call ask');
    expect(spans.map(({ kind }) => kind).sort()).toEqual([SpanKind.SERVER, SpanKind.SERVER, SpanKind.CLIENT, SpanKind.CLIENT]);
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
  });

  test('without spans: an id for each leg, in one trace', async () => {
    const waybill = clientContext({ trace: 'start' });
    const [first, second] = await ask({ client: { transport: (transport) => waybill.attach(transport as never) } });
    expect(traceIdOf(second!)).toBe(traceIdOf(first!));
    expect(second).not.toBe(first);
  });
});

describe('HTTP headers', () => {
  const TRACE = '0af7651916cd43dd8448eb211c80319c';
  const HEADER = `00-${TRACE}-b7ad6b7169203331-01`;
  const CELLS_HTTP: Cell[] = [
    { client: 'v1', server: 'v1', transport: 'http-sse' },
    { client: 'v2-legacy', server: 'wired', transport: 'http-json' },
    { client: 'v2-legacy', server: 'v2', transport: 'http-sse' },
    { client: 'v2-modern', server: 'v2', transport: 'http-json' },
  ];
  const cases = CELLS_HTTP.map((cell) => [nameOf(cell), cell] as const);
  const withHeader = (base: (url: string | URL, init?: RequestInit) => Promise<Response>) => (url: string | URL, init?: RequestInit) => {
    const headers = new Headers(init?.headers);
    headers.set('traceparent', HEADER);
    return base(url, { ...init, headers });
  };

  test.each(cases)('%s: headers are the parent if the caller writes nothing into _meta', async (_name, cell) => {
    const otel = openTelemetry();
    const journey = await open(cell, { client: { fetch: withHeader }, server: { server: (target) => otel.attach(target) } });
    await journey.client.callTool({ name: 'echo', arguments: { text: 'x' } });
    await journey.close();
    const span = lab.span('server', 'tools/call echo');
    expect(span.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(span.attributes).toMatchObject({ 'network.transport': 'tcp', 'network.protocol.name': 'http' });
  });

  test.each(cases)('TRACE-07: %s: headers are linked beside a parent in _meta', async (_name, cell) => {
    const otel = openTelemetry();
    const journey = await open(cell, {
      client: { fetch: withHeader, transport: (transport) => otel.attach(transport) },
      server: { server: (target) => otel.attach(target) },
    });
    await journey.client.callTool({ name: 'echo', arguments: { text: 'x' } });
    await journey.close();
    const span = lab.span('server', 'tools/call echo');
    expect(span.parentSpanContext?.spanId).toBe(lab.span('client', 'tools/call echo').spanContext().spanId);
    expect(span.links.map(({ context }) => context.traceId)).toEqual([TRACE]);
  });

  test.each(cases)('%s: the client writes headers only with mirror', async (_name, cell) => {
    for (const mirror of [true, false]) {
      const waybill = clientContext({ mirror, trace: 'start' });
      const journey = await open(cell, { client: { transport: (transport) => waybill.attach(transport as never) } });
      await journey.client.callTool({ name: 'echo', arguments: { text: 'x' } });
      const [exchange] = journey.wire().http.filter(({ body }) => body?.method === 'tools/call');
      await journey.close();
      expect(exchange?.headers['traceparent']).toBe(mirror ? exchange?.body.params._meta.traceparent : undefined);
    }
  });

  test('a request that the edge of a server refuses has a span', async () => {
    const otel = openTelemetry();
    const waybill = serverContext({ languages: ['en', 'fr'], telemetry: otel });
    const journey = await open(
      { client: 'v2-modern', server: 'v2', transport: 'http-json' },
      {
        client: {
          transport: (transport) => clientContext({ language: 'fr', telemetry: otel }).attach(transport as never),
          fetch: (base) => (url, init) => {
            const headers = new Headers(init?.headers);
            if (typeof init?.body === 'string' && init.body.includes('"echo"')) headers.set('accept-language', 'de');
            return base(url, { ...init, headers });
          },
        },
        server: { server: (target) => waybill.attach(target), handler: (handler) => waybill.http(handler as never) },
      },
    );
    await expect(journey.client.callTool({ name: 'echo', arguments: { text: 'x' } })).rejects.toThrow();
    await journey.close();
    // The SDK's client tries once more after it has read the list of tools.
    const [client, ...more] = lab.spans().filter(({ name, kind }) => name === 'tools/call echo' && kind === SpanKind.CLIENT);
    const servers = lab.spans().filter(({ name, kind }) => name === 'tools/call echo' && kind === SpanKind.SERVER);
    expect(servers).toHaveLength(1 + more.length);
    expect([client, ...more, ...servers].map((span) => span?.attributes['error.type'])).toEqual(Array(2 * servers.length).fill('-32020'));
    expect(servers[0]?.parentSpanContext?.spanId).toBe(client?.spanContext().spanId);
  });
});
