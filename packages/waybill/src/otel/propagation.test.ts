/* eslint-disable @typescript-eslint/no-deprecated -- Jaeger's propagator is on its way out, and still in use */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { context, propagation, ROOT_CONTEXT, trace, type TextMapPropagator } from '@opentelemetry/api';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { B3InjectEncoding, B3Propagator } from '@opentelemetry/propagator-b3';
import { JaegerPropagator } from '@opentelemetry/propagator-jaeger';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  metaOf,
  openLab,
  request,
  result,
  spanIdOf,
  traceIdOf,
  wire,
  type End,
  type Lab,
  type Message,
} from '../../../../test/otel/lab.js';
import { hookTransport, type Hooks } from '../transport/index.js';
import { openTelemetry, type OpenTelemetry, type OpenTelemetryOptions } from './index.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const GOOD = `00-${TRACE}-${PARENT}-01`;

let lab: Lab;
beforeAll(() => {
  lab = openLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

interface Pair {
  near: End;
  far: End;
  client: OpenTelemetry;
  server: OpenTelemetry;
  /** The span under which the other end served. */
  seen: () => string | undefined;
}

function pair(clients: OpenTelemetryOptions = {}, servers: OpenTelemetryOptions = clients, layer?: Hooks): Pair {
  const [near, far] = wire();
  const [client, server] = [openTelemetry(clients), openTelemetry(servers)];
  if (layer === undefined) client.attach(near);
  else hookTransport(near, { ...layer, telemetry: client });
  server.attach(far);
  let seen: string | undefined;
  near.onmessage = () => undefined;
  far.onmessage = ({ id, method }: Message) => {
    if (method === undefined || id === undefined) return;
    seen = trace.getSpanContext(context.active())?.traceId;
    void far.send(result(id));
  };
  return { near, far, client, server, seen: () => seen };
}

const inSpan = async (run: () => Promise<void>): Promise<{ traceId: string; spanId: string }> => {
  const span = trace.getTracer('app').startSpan('app', {}, ROOT_CONTEXT);
  await context.with(trace.setSpan(context.active(), span), run);
  span.end();
  return span.spanContext();
};

describe('any propagator', () => {
  it.each<[string, TextMapPropagator, string[]]>([
    ['W3C', new W3CTraceContextPropagator(), ['traceparent']],
    ['B3, one header', new B3Propagator(), ['b3']],
    [
      'B3, many headers',
      new B3Propagator({ injectEncoding: B3InjectEncoding.MULTI_HEADER }),
      ['x-b3-sampled', 'x-b3-spanid', 'x-b3-traceid'],
    ],
    ['Jaeger', new JaegerPropagator(), ['uber-trace-id']],
    ['W3C and B3', new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new B3Propagator()] }), ['b3', 'traceparent']],
  ])('%s crosses in _meta, one trace', async (_what, propagator, keys) => {
    const { near, seen } = pair({ propagator });
    await near.send(call({ _meta: { 'example.test/kept': 1 } }));
    expect(Object.keys(metaOf(near.sent[0])).sort()).toEqual([...keys, 'example.test/kept'].sort());
    expect(lab.span('server').parentSpanContext?.spanId).toBe(lab.span('client').spanContext().spanId);
    expect(seen()).toBe(lab.span('client').spanContext().traceId);
  });

  it('a propagator that throws breaks no call, in any of its methods', async () => {
    const faults: unknown[] = [];
    const broken: TextMapPropagator = {
      inject: () => {
        throw new Error('inject');
      },
      extract: () => {
        throw new Error('extract');
      },
      fields: () => {
        throw new Error('fields');
      },
    };
    const { near, client } = pair({ propagator: broken, onFault: (error) => faults.push(error) });
    await near.send(call({ _meta: { traceparent: GOOD } }));
    await near.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(near.received).toEqual([result(1)]);
    expect(lab.spans()).toHaveLength(2);
    expect(client.carrier()).toEqual({});
    expect(faults.length).toBeGreaterThan(2);
  });

  it('keys of the protocol, and values that are not texts, are not taken from a propagator', async () => {
    const rude: TextMapPropagator = {
      inject: (_context, carrier: unknown, setter) => {
        setter.set(carrier, 'progressToken', 'x');
        setter.set(carrier, 'io.modelcontextprotocol/protocolVersion', 'x');
        setter.set(carrier, 'dev.waybill/context', 'x');
        setter.set(carrier, '__proto__', 'x');
        setter.set(carrier, 'number', 7 as never);
        setter.set(carrier, 'long', 'x'.repeat(10_000));
        setter.set(carrier, 'fine', 'x');
      },
      extract: (onto) => onto,
      fields: () => [],
    };
    const { near } = pair({ propagator: rude });
    await near.send(call({ _meta: { progressToken: 1 } }));
    expect(metaOf(near.sent[0])).toEqual({ progressToken: 1, fine: 'x' });
  });

  it('a tracer that throws breaks no call, and the trace goes on without its span', async () => {
    const tracerProvider = {
      getTracer: () => ({
        startSpan: () => {
          throw new Error('no span');
        },
        startActiveSpan: () => {
          throw new Error('no span');
        },
      }),
    };
    const { near } = pair({ tracerProvider: tracerProvider });
    const app = await inSpan(() => near.send(call()));
    expect(near.received).toHaveLength(1);
    expect(spanIdOf(metaOf(near.sent[0])['traceparent'])).toBe(app.spanId);
  });
});

describe('modes', () => {
  it('propagate: no spans, the current context crosses and is current while the request is served', async () => {
    const { near, seen } = pair({ mode: 'propagate' });
    const app = await inSpan(() => near.send(call()));
    expect(lab.spans().map(({ name }) => name)).toEqual(['app']);
    expect(metaOf(near.sent[0])['traceparent']).toContain(app.spanId);
    expect(seen()).toBe(app.traceId);
  });

  it('propagate: without a current span nothing is sent, and the caller’s own keys stay', async () => {
    const { near, seen } = pair({ mode: 'propagate' });
    await near.send(call());
    expect(near.sent[0]).toEqual(call());
    await inSpan(() => near.send(call({ _meta: { traceparent: GOOD, tracestate: 'a=1' } }, 2)));
    expect(metaOf(near.sent[1])).toEqual({ traceparent: GOOD, tracestate: 'a=1' });
    expect(seen()).toBe(TRACE);
  });

  it('off: no key and no span', async () => {
    const { near, seen } = pair({ mode: 'off' });
    await inSpan(() => near.send(call()));
    expect(near.sent).toEqual([call()]);
    expect(lab.spans()).toHaveLength(1);
    void seen;
  });

  it('spans on one side only: the client has none, and the server begins its own trace', async () => {
    const { near } = pair({ mode: 'off' }, {});
    await near.send(call());
    expect(lab.span('server').parentSpanContext).toBeUndefined();
  });
});

describe('outgoing messages', () => {
  it('a trace that the caller wrote is continued, with its state, and beats the current span', async () => {
    const { near } = pair();
    await inSpan(() => near.send(call({ _meta: { traceparent: GOOD, tracestate: 'a=1' } })));
    const meta = metaOf(near.sent[0]);
    expect([traceIdOf(meta['traceparent']), meta['tracestate']]).toEqual([TRACE, 'a=1']);
    expect(lab.span('client').parentSpanContext?.spanId).toBe(PARENT);
    expect(spanIdOf(meta['traceparent'])).toBe(lab.span('client').spanContext().spanId);
  });

  it('a malformed trace of the caller is replaced', async () => {
    const { near } = pair();
    await near.send(call({ _meta: { traceparent: 'x', tracestate: 'a=1' } }));
    expect(metaOf(near.sent[0])).toEqual({ traceparent: expect.stringContaining(lab.span('client').spanContext().spanId) });
  });

  it('the trace of the layer is the parent if no span is current, and yields to a current span', async () => {
    const layer: Hooks = {
      request: (message) => ({
        ...message,
        params: { ...(message['params'] as Message), _meta: { traceparent: GOOD, tracestate: 'a=1', baggage: 'k=v' } },
      }),
    };
    const { near } = pair({}, {}, layer);
    await near.send(call({}, 1));
    expect(metaOf(near.sent[0])).toMatchObject({ tracestate: 'a=1', baggage: 'k=v' });
    expect(lab.span('client').parentSpanContext?.spanId).toBe(PARENT);
    lab.reset();
    const app = await inSpan(() => near.send(call({}, 2)));
    expect(Object.keys(metaOf(near.sent[1])).sort()).toEqual(['baggage', 'traceparent']);
    expect(lab.span('client').spanContext().traceId).toBe(app.traceId);
  });

  it('notifications carry the trace too; those about a request carry that of the request', async () => {
    const { near, far } = pair();
    const app = await inSpan(() => near.send({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    expect(metaOf(near.sent[0])['traceparent']).toContain(app.spanId);
    far.onmessage = ({ id }: Message) => {
      const send = far.send as unknown as (message: Message, options: Message) => Promise<void>;
      void send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }, { relatedRequestId: id });
      void far.send(result(id));
    };
    await near.send(call());
    expect(metaOf(far.sent[0])['traceparent']).toContain(lab.span('server').spanContext().spanId);
  });

  it('the caller’s message is never changed', async () => {
    const { near } = pair();
    const message = call({ _meta: { traceparent: GOOD } });
    Object.freeze(message);
    Object.freeze(message['params']);
    Object.freeze(message['params']['_meta']);
    await near.send(message);
    expect(message).toEqual(call({ _meta: { traceparent: GOOD } }));
  });

  it('a _meta that is not an object stays, and the call is traced without it', async () => {
    const { near } = pair();
    await near.send(call({ _meta: 'text' }));
    expect(metaOf(near.sent[0])).toBe('text');
    expect(lab.spans()).toHaveLength(2);
  });
});

describe('baggage', () => {
  const withBaggage = async (run: () => Promise<void>): Promise<void> => {
    const baggage = propagation.createBaggage({ 'gen_ai.conversation.id': { value: 'c1' }, user: { value: 'alice' } });
    await context.with(propagation.setBaggage(context.active(), baggage), run);
  };
  const jaeger = new CompositePropagator({ propagators: [new JaegerPropagator(), new W3CBaggagePropagator()] });

  it('D-20, IX-12: no baggage goes out unless it is on the list, in any spelling', async () => {
    const { near } = pair();
    await withBaggage(() => near.send(call({}, 1)));
    expect(Object.keys(metaOf(near.sent[0]))).toEqual(['traceparent']);
    const other = pair({ propagator: jaeger });
    await withBaggage(() => other.near.send(call({}, 1)));
    expect(Object.keys(metaOf(other.near.sent[0]))).toEqual(['uber-trace-id']);
  });

  it('D-20: the list applies to the baggage of an OpenTracing propagator, in both directions', async () => {
    const read: unknown[] = [];
    const openTracing: TextMapPropagator = {
      inject: (_, carrier, setter) => ['tier', 'user'].forEach((name) => setter.set(carrier, `ot-baggage-${name}`, 'x')),
      extract: (onto, carrier, getter) => (read.push(...['tier', 'user'].map((name) => getter.get(carrier, `ot-baggage-${name}`))), onto),
      fields: () => [],
    };
    const { near } = pair({ propagator: openTracing, baggage: ['tier'] });
    await near.send(call());
    expect(metaOf(near.sent[0])).toEqual({ 'ot-baggage-tier': 'x' });
    const [client, server] = wire();
    openTelemetry({ propagator: openTracing, baggage: ['tier'] }).attach(server);
    await client.send(call({ _meta: { 'ot-baggage-tier': 'x', 'ot-baggage-user': 'x' } }));
    expect(read.slice(-2)).toEqual(['x', undefined]);
  });

  it('TRACE-16: baggage may carry a conversation if the list allows it', async () => {
    const allowed = { baggage: ['gen_ai.conversation.id'] };
    const { near, client } = pair(allowed);
    await withBaggage(() => near.send(call()));
    expect(metaOf(near.sent[0])['baggage']).toBe('gen_ai.conversation.id=c1');
    await withBaggage(async () => expect(client.carrier()['baggage']).toBe('gen_ai.conversation.id=c1'));
    const other = pair({ ...allowed, propagator: jaeger });
    await withBaggage(() => other.near.send(call()));
    expect(metaOf(other.near.sent[0])).toMatchObject({ 'uberctx-gen_ai.conversation.id': 'c1', baggage: 'gen_ai.conversation.id=c1' });
  });

  it.each<[string, OpenTelemetryOptions, Record<string, string>]>([
    ['only members on the list', { baggage: ['tier'] }, { tier: 'gold' }],
    ['nothing of a caller whose trace is only linked', { incoming: 'link' }, {}],
    ['everything of a caller whose trace is continued, without a list', {}, { tier: 'gold', user: 'alice' }],
  ])('D-25, TRACE-12: the server keeps %s of incoming baggage, also in the spelling of Jaeger', async (_, options, expected) => {
    const [near, far] = wire();
    openTelemetry({ ...options, propagator: jaeger }).attach(far);
    let kept: Record<string, string> | undefined;
    far.onmessage = () => {
      const all = propagation.getBaggage(context.active())?.getAllEntries() ?? [];
      kept = Object.fromEntries(all.map(([key, { value }]) => [key, value]));
    };
    await near.send(call({ _meta: { 'uber-trace-id': `${TRACE}:${PARENT}:0:1`, 'uberctx-tier': 'gold', 'uberctx-user': 'alice' } }));
    expect(kept).toEqual(expected);
  });

  it('D-20: the caller’s own baggage passes the list too', async () => {
    const { near } = pair({ baggage: ['tier'] });
    await near.send(call({ _meta: { baggage: 'tier=gold,user=alice' } }, 1));
    await near.send(call({ _meta: { baggage: 'user=alice' } }, 2));
    await near.send(call({ _meta: { baggage: 7 } }, 3));
    await near.send(call({ _meta: { 'uberctx-tier': 'gold', 'ot-baggage-user': 'alice' } }, 4));
    expect(near.sent.map((message) => metaOf(message)['baggage'])).toEqual(['tier=gold', undefined, undefined, undefined]);
    expect(metaOf(near.sent[3])).toMatchObject({ 'uberctx-tier': 'gold' });
    expect(metaOf(near.sent[3])).not.toHaveProperty('ot-baggage-user');
  });

  it.each(['spans', 'propagate'] as const)('D-20: the list applies to notifications, with and without a trace: %s', async (mode) => {
    const { near } = pair({ mode, baggage: ['tier'] });
    for (const own of [{}, { traceparent: GOOD }]) {
      const _meta = { ...own, baggage: 'tier=gold,user=alice' };
      await near.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1, _meta } });
    }
    expect(near.sent.map((message) => metaOf(message)['baggage'])).toEqual(['tier=gold', 'tier=gold']);
  });
});

describe('HTTP headers from the client', () => {
  it('headers are written only if configured, with any propagator', async () => {
    const posted: Headers[] = [];
    const fetch = async (_url: string | URL, init?: RequestInit): Promise<Response> => {
      posted.push(new Headers(init?.headers));
      return Promise.resolve(new Response(null, { status: 202 }));
    };
    const send = async (options: OpenTelemetryOptions): Promise<void> => {
      const transport = new StreamableHTTPClientTransport(new URL('https://a.example/mcp'), { fetch });
      openTelemetry(options).attach(transport);
      await transport.start();
      await transport.send(call() as never);
    };
    await send({});
    await send({ mirror: true });
    await send({ mirror: true, propagator: new B3Propagator() });
    const [none, w3c, b3] = posted;
    expect([none?.has('traceparent'), w3c?.has('traceparent'), b3?.has('b3')]).toEqual([false, true, true]);
  });
});

describe('the carrier', () => {
  it('the carrier is for outbound calls: the current span, or that of the exchange if no context manager knows it', async () => {
    const otel = openTelemetry();
    const app = await inSpan(async () => expect(traceIdOf(otel.carrier()['traceparent'] ?? '')).toHaveLength(32));
    void app;
    expect(otel.carrier()).toEqual({});
    const [near, far] = wire();
    let found: Message = {};
    hookTransport(far, {
      request(message, exchange) {
        found = context.with(ROOT_CONTEXT, () => otel.carrier(exchange));
        return message;
      },
      telemetry: otel,
    });
    far.onmessage = ({ id }: Message) => void far.send(result(id));
    await near.send(request('ping', { _meta: { traceparent: GOOD } }));
    expect(spanIdOf(found['traceparent'])).toBe(lab.span('server').spanContext().spanId);
  });
});
