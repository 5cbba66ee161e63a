// @ts-check
/**
 * The cost of a traced request above the same thing written by hand, in µs per hop. The wire is SDK v2's in-memory pair without the SDK on
 * top, so that nothing else hides the difference. Each operation is a request and its answer.
 */
import { InMemoryTransport } from '@modelcontextprotocol/client';
import {
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  metrics,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { childTrace, IdPool } from 'waybill/adapter';
import { clientContext } from 'waybill/client';
import { openTelemetry } from 'waybill/otel';
import { contextOf, serverContext } from 'waybill/server';
import { difference, race } from './harness.mjs';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const params = { name: 'echo', arguments: {} };
const ids = new IdPool();
/** @type {unknown} */
let sink;

/**
 * One hop from end to end. `write` makes the request, `serve` does what a handler does; `near` and `far` put a layer on.
 * @param {{ near?: (end: any) => void, far?: (end: any) => void, write?: (id: number) => any, serve?: (message: any) => unknown }} given
 */
async function hop({ near, far, write = (id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }), serve = () => undefined }) {
  /** @type {any[]} */
  const [a, b] = InMemoryTransport.createLinkedPair();
  near?.(a);
  far?.(b);
  b.onmessage = (/** @type {any} */ message) => {
    sink = serve(message);
    void b.send({ jsonrpc: '2.0', id: message.id, result: { content: [] } });
  };
  a.onmessage = () => {};
  await Promise.all([a.start(), b.start()]);
  let id = 0;
  return async (/** @type {number} */ n) => {
    for (let i = 0; i < n; i++) await a.send(write(id++));
  };
}

/** @param {() => Promise<any>} ours @param {() => Promise<any>} peer @param {number} hops */
const above = (ours, peer, hops) => async (/** @type {import('./harness.mjs').Options} */ options) => {
  const arms = { ours: await ours(), peer: await peer() };
  return difference(await race(arms, { ...options, ratio: 'ours/peer' }), hops, 'µs a hop');
};

const withKeys = (/** @type {number} */ id, /** @type {object} */ keys) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { ...params, _meta: { ...keys } },
});
/** A span of a trace that is known, as a careful caller writes it: from a pool, and no system call for each. */
const child = () => `00-0af7651916cd43dd8448eb211c80319c-${ids.spanId()}-01`;

const plain = {
  client: () => hop({ near: (end) => clientContext({ trace: PARENT, language: null, environment: null }).attach(end) }),
  clientByHand: () => hop({ write: (id) => withKeys(id, { traceparent: child() }) }),
  server: () =>
    hop({
      far: (end) => /** @type {any} */ (serverContext({ trace: { takesPart: true } }).attach({ connect: async () => end })).connect(end),
      write: (id) => withKeys(id, { traceparent: PARENT }),
      serve: ({ params: { _meta } }) => contextOf({ _meta }).trace.carrier(),
    }),
  serverByHand: () =>
    hop({
      write: (id) => withKeys(id, { traceparent: PARENT }),
      serve: ({ params: { _meta } }) => childTrace({ traceparent: _meta.traceparent }, ids.spanId()),
    }),
};

/** The OpenTelemetry SDK, once a process, as an application registers it. */
function register() {
  trace.setGlobalTracerProvider(new BasicTracerProvider());
  metrics.setGlobalMeterProvider(new MeterProvider());
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }));
}

/** Both ends instrumented with the SDK by hand: the same spans, attributes, measurements and keys. */
async function byHand() {
  const tracer = trace.getTracer('hand');
  const meter = metrics.getMeter('hand');
  const [sent, served] = ['client', 'server'].map((side) => meter.createHistogram(`mcp.${side}.operation.duration`, { unit: 's' }));
  const few = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'echo', 'gen_ai.operation.name': 'execute_tool' };
  /** @type {any[]} */
  const [a, b] = InMemoryTransport.createLinkedPair();
  b.onmessage = (/** @type {any} */ message) => {
    const since = performance.now();
    const parent = propagation.extract(ROOT_CONTEXT, message.params._meta, defaultTextMapGetter);
    const attributes = { ...few, 'jsonrpc.request.id': String(message.id) };
    const span = tracer.startSpan('tools/call echo', { kind: SpanKind.SERVER, attributes }, parent);
    context.with(trace.setSpan(parent, span), () => {
      void b.send({ jsonrpc: '2.0', id: message.id, result: { content: [] } });
      span.end();
      served?.record((performance.now() - since) / 1000, few);
    });
  };
  /** @type {Map<number, { span: import('@opentelemetry/api').Span, since: number }>} */
  const open = new Map();
  a.onmessage = (/** @type {any} */ message) => {
    const known = open.get(message.id);
    open.delete(message.id);
    known?.span.end();
    if (known) sent?.record((performance.now() - known.since) / 1000, few);
  };
  await Promise.all([a.start(), b.start()]);
  let id = 0;
  return async (/** @type {number} */ n) => {
    for (let i = 0; i < n; i++) {
      const since = performance.now();
      const attributes = { ...few, 'jsonrpc.request.id': String(id) };
      const span = tracer.startSpan('tools/call echo', { kind: SpanKind.CLIENT, attributes });
      const current = trace.setSpan(context.active(), span);
      /** @type {Record<string, string>} */
      const keys = {};
      propagation.inject(current, keys, defaultTextMapSetter);
      open.set(id, { span, since });
      const message = withKeys(id++, keys);
      await context.with(current, () => a.send(message));
    }
  };
}

/** @param {import('waybill/otel').OpenTelemetryOptions} [options] */
function traced(options) {
  const otel = openTelemetry(options);
  return hop({ near: (end) => otel.attach(end), far: (end) => otel.attach(end) });
}

/** Runs each call in a span of the application that was made once: what there is to propagate. @param {(n: number) => Promise<void>} arm */
function inSpan(arm) {
  const current = trace.setSpanContext(ROOT_CONTEXT, {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    traceFlags: 1,
  });
  return (/** @type {number} */ n) => context.with(current, () => arm(n));
}

async function propagatedByHand() {
  return hop({
    write: (id) => {
      /** @type {Record<string, string>} */
      const keys = {};
      propagation.inject(context.active(), keys, defaultTextMapSetter);
      return withKeys(id, keys);
    },
    serve: ({ params: { _meta } }) => context.with(propagation.extract(ROOT_CONTEXT, _meta, defaultTextMapGetter), () => undefined),
  });
}

const row = (/** @type {string} */ name, /** @type {string} */ peer, /** @type {number} */ target, /** @type {any} */ measure) => ({
  name,
  peer,
  ratio: /** @type {const} */ ('ours/peer'),
  target,
  measure,
});

export const title = 'Telemetry: µs above the same by hand';

export const rows = [
  row('otel: propagation alone, client, µs a hop', 'the caller writes the key', 2, above(plain.client, plain.clientByHand, 1)),
  row('otel: propagation alone, server, µs a hop', 'the handler reads and continues it', 2, above(plain.server, plain.serverByHand, 1)),
  row('otel: mode propagate, µs a hop', 'inject and extract by hand', 2, async (/** @type {any} */ options) => {
    register();
    return above(
      async () => inSpan(await traced({ mode: 'propagate' })),
      async () => inSpan(await propagatedByHand()),
      2,
    )(options);
  }),
  row('otel: mode spans, µs a hop', 'the OpenTelemetry SDK by hand', 3, async (/** @type {any} */ options) => {
    register();
    return above(() => traced(), byHand, 2)(options);
  }),
];
void sink;
