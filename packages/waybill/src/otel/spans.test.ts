import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { End } from '../../../../test/otel/lab.js';
import { call, failure, metaOf, openLab, request, result, spanIdOf, wire, type Lab, type Message } from '../../../../test/otel/lab.js';
import { hookTransport } from '../transport/index.js';
import { ContextError } from '../wire/errors.js';
import { openTelemetry, type OpenTelemetryOptions } from './index.js';

let lab: Lab;
beforeAll(() => {
  lab = openLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

type Answer = (message: Message, end: End) => Message | undefined;

/** Both ends are traced; the far one answers. */
function both(answer: Answer = ({ id }) => result(id), options: OpenTelemetryOptions = {}): [End, End] {
  const [near, far] = wire();
  const otel = openTelemetry(options);
  otel.attach(near);
  otel.attach(far);
  // Both SDKs set both handlers on connecting.
  near.onclose = far.onclose = () => undefined;
  near.onmessage = () => undefined;
  far.onmessage = (message: Message) => {
    if (message['method'] === undefined || message['id'] === undefined) return;
    const answered = answer(message, far);
    if (answered !== undefined) void far.send(answered);
  };
  return [near, far];
}

describe('spans', () => {
  it('a call has one span of each kind, in one trace, with the client as the parent of the server', async () => {
    const [near] = both();
    await near.send(call({ name: 'add' }, 7));
    const [client, server] = [lab.span('client'), lab.span('server')];
    expect(client.name).toBe('tools/call add');
    expect(server.name).toBe('tools/call add');
    expect(server.parentSpanContext?.spanId).toBe(client.spanContext().spanId);
    expect(server.spanContext().traceId).toBe(client.spanContext().traceId);
    expect(metaOf(near.sent[0])['traceparent']).toContain(client.spanContext().spanId);
    for (const span of [client, server]) {
      expect(span.attributes).toEqual({
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': 'add',
        'gen_ai.operation.name': 'execute_tool',
        'jsonrpc.request.id': '7',
      });
      expect(span.status.code).toBe(SpanStatusCode.UNSET);
    }
  });

  it.each(['setAttribute', 'setAttributes', 'setStatus', 'isRecording'])('a span whose %s throws is still ended', async (method) => {
    const faults: unknown[] = [];
    let open = 0;
    const span = {
      ...Object.fromEntries(['setAttribute', 'setAttributes', 'setStatus', 'addEvent'].map((name) => [name, () => span])),
      isRecording: () => true,
      spanContext: () => ({ traceId: '0'.repeat(31) + '1', spanId: '0'.repeat(15) + '1', traceFlags: 1 }),
      end: () => void open--,
      [method]() {
        throw new Error(method);
      },
    };
    const tracerProvider = {
      getTracer: () => ({
        startSpan() {
          open++;
          return span;
        },
      }),
    };
    const [near] = both(({ id }) => failure(id, -32603, 'broken'), {
      tracerProvider: tracerProvider as never,
      onFault: (error) => faults.push(error),
    });
    await near.send(call({ name: 'add' }, 7));
    expect(faults).toContainEqual(new Error(method));
    expect(open).toBe(0);
  });

  it.each<[string, Message, string, Message]>([
    ['a prompt', request('prompts/get', { name: 'greet' }), 'prompts/get greet', { 'gen_ai.prompt.name': 'greet' }],
    ['a list', request('tools/list'), 'tools/list', {}],
    [
      'a resource',
      request('resources/read', { uri: 'note://ada:secret@host/a?token=1#b' }),
      'resources/read',
      { 'mcp.resource.uri': 'note://host/a' },
    ],
    [
      'a request of 2026-07-28',
      request('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
      'tools/list',
      { 'mcp.protocol.version': '2026-07-28' },
    ],
    ['a name that is no text', call({ name: 7 }), 'tools/call', {}],
  ])('%s has its name and its attributes', async (_what, message, name, attributes) => {
    const [near] = both();
    await near.send(message);
    for (const kind of ['client', 'server'] as const) {
      const span = lab.span(kind);
      expect(span.name).toBe(name);
      expect(span.attributes).toEqual({ 'mcp.method.name': message['method'], 'jsonrpc.request.id': '1', ...attributes });
    }
  });

  it.each([
    [`https://ada:${'secret'.repeat(50)}@host/a`, 'https://host/a'],
    [`https://host/${'a'.repeat(300)}`, `https://host/${'a'.repeat(243)}`],
    ['https://ada:se/cr@et@host/a', 'https://host/a'],
    ['https://ada:se?cr#et@host/a', 'https://host/a'],
    ['https://ada:secret@host/a?mail=b@c', 'https://host/a'],
    ['https://host/a#token=1', 'https://host/a'],
    ['note:a#token=1?x', 'note:a'],
    ['//ada:secret@host/a', '//host/a'],
    ['http://localhost:3000/@scope/a', 'http://localhost:3000/@scope/a'],
    ['http://[::1]:3000/@scope/a', 'http://[::1]:3000/@scope/a'],
    ['file:///home/a@b', 'file:///home/a@b'],
    ['mailbox:a', 'mailbox:a'],
  ])('credentials stay off the address of a resource, in any spelling: %s', async (uri, told) => {
    await both()[0].send(request('resources/read', { uri }));
    expect(lab.span('server').attributes['mcp.resource.uri']).toBe(told);
  });

  it('a caller that invents tools does not use up the names of methods', async () => {
    const [near] = both();
    for (let n = 0; n < 1001; n++) await near.send(call({ name: `invented${n}` }, n));
    expect(lab.spans().at(-1)?.name).toBe('tools/call _OTHER');
    lab.reset();
    await near.send(request('prompts/list', {}, 2000));
    expect(lab.span('server')).toMatchObject({ name: 'prompts/list', attributes: { 'mcp.method.name': 'prompts/list' } });
  });

  it('values that could carry personal data stay off the spans unless configured', async () => {
    const secret = { arguments: { who: 'SECRET' }, _meta: { 'modelcontextprotocol.io/state/session': { cart: 'SECRET' } } };
    const answer: Answer = ({ id }) => result(id, { content: [{ type: 'text', text: 'SECRET' }] });
    await both(answer)[0].send(call(secret));
    expect(JSON.stringify(lab.spans().map(({ attributes, events }) => [attributes, events]))).not.toContain('SECRET');
    lab.reset();
    await both(answer, { capture: ['arguments', 'results'] })[0].send(call(secret));
    const { attributes } = lab.span('server');
    expect(attributes['gen_ai.tool.call.arguments']).toBe('{"who":"SECRET"}');
    expect(attributes['gen_ai.tool.call.result']).toBe('[{"type":"text","text":"SECRET"}]');
  });

  it('spans name the revision that initialize agreed on', async () => {
    const [near] = both(({ id, method }) => result(id, method === 'initialize' ? { protocolVersion: '2025-11-25' } : {}));
    await near.send(request('initialize', { protocolVersion: '2025-11-25' }));
    await near.send(request('ping', undefined, 2));
    for (const span of lab.spans()) expect(span.attributes['mcp.protocol.version']).toBe('2025-11-25');
    expect(lab.spans()).toHaveLength(4);
  });
});

describe('the end of an exchange', () => {
  const ended = async (answer: Answer, options?: OpenTelemetryOptions): Promise<Message> => {
    await both(answer, options)[0].send(call());
    return Object.fromEntries(
      (['client', 'server'] as const).map((kind) => {
        const { status, attributes } = lab.span(kind);
        return [
          kind,
          [status.code === SpanStatusCode.ERROR, attributes['error.type'], attributes['rpc.response.status_code'], status.message],
        ];
      }),
    );
  };

  it.each<[string, Answer, unknown[], unknown[]]>([
    ['a result', ({ id }) => result(id), [false, undefined, undefined, undefined], [false, undefined, undefined, undefined]],
    [
      'a tool error',
      ({ id }) => result(id, { isError: true, content: [] }),
      [true, 'tool_error', undefined, undefined],
      [true, 'tool_error', undefined, undefined],
    ],
    ['an internal error', ({ id }) => failure(id, -32603), [true, '-32603', '-32603', 'no'], [true, '-32603', '-32603', 'no']],
    ['a missing capability', ({ id }) => failure(id, -32021), [true, '-32021', '-32021', 'no'], [true, '-32021', '-32021', 'no']],
    // The caller's own mistake is no failure of the server.
    ['wrong params', ({ id }) => failure(id, -32602), [true, '-32602', '-32602', 'no'], [false, undefined, '-32602', undefined]],
    ['an unknown method', ({ id }) => failure(id, -32601), [true, '-32601', '-32601', 'no'], [false, undefined, '-32601', undefined]],
  ])('%s', async (_what, answer, client, server) => {
    expect(await ended(answer)).toEqual({ client, server });
  });

  it('the text of an error is left out if it must not be captured', async () => {
    expect(await ended(({ id }) => failure(id, -32603, 'SECRET'), { capture: [] })).toMatchObject({
      client: [true, '-32603', '-32603', undefined],
    });
  });

  it('a request that is cancelled ends both spans', async () => {
    const [near] = both(() => undefined);
    await near.send(call());
    expect(lab.spans()).toHaveLength(0);
    await near.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    for (const kind of ['client', 'server'] as const) {
      expect(lab.span(kind).attributes['error.type']).toBe('cancelled');
      expect(lab.span(kind).status.code).toBe(SpanStatusCode.ERROR);
    }
  });

  it('the span of a request that cannot be sent says why', async () => {
    const [near] = both();
    near.failing = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    await expect(near.send(call())).rejects.toThrow('refused');
    expect(lab.span('client').attributes['error.type']).toBe('ECONNREFUSED');
  });

  it('a connection that closes ends the open spans', async () => {
    const [near, far] = both(() => undefined);
    await near.send(call());
    await Promise.all([near.close(), far.close()]);
    expect(lab.span('client').attributes['error.type']).toBe('closed');
    expect(lab.span('server').attributes['error.type']).toBe('closed');
  });

  it('a subscription that closes ends without an error', async () => {
    const [near, far] = both(() => undefined);
    await near.send(request('subscriptions/listen', {}));
    await Promise.all([near.close(), far.close()]);
    for (const kind of ['client', 'server'] as const) expect(lab.span(kind).attributes['error.type']).toBeUndefined();
  });

  it('an answer that our own layer rejects is an error of the client', async () => {
    const [near, far] = wire();
    const otel = openTelemetry();
    const rejects = (): never => {
      throw new ContextError('language-mismatch');
    };
    hookTransport(near, { answer: rejects, telemetry: otel });
    otel.attach(far);
    near.onmessage = () => undefined;
    far.onmessage = ({ id }: Message) => void far.send(result(id));
    await near.send(call());
    expect(lab.span('client').attributes['error.type']).toBe('-32020');
    expect(lab.span('server').attributes['error.type']).toBeUndefined();
  });

  it('a request that our own layer refuses is a refusal of the server, without a handler', async () => {
    const [near, far] = wire();
    const otel = openTelemetry();
    const refuses = (): never => {
      throw new ContextError('missing-capability', { requiredCapabilities: { sampling: {} } });
    };
    otel.attach(near);
    hookTransport(far, { request: refuses, telemetry: otel });
    near.onmessage = () => undefined;
    far.onmessage = () => expect.unreachable();
    await near.send(call());
    expect(lab.span('server').attributes['error.type']).toBe('-32021');
    expect(lab.span('server').status.code).toBe(SpanStatusCode.ERROR);
    expect(lab.span('client').attributes['error.type']).toBe('-32021');
  });
});

describe('an exchange that ends at the HTTP edge', () => {
  it('it has a span too, in the trace of its caller', () => {
    const headers = new Headers({ 'mcp-protocol-version': '2026-07-28' });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    openTelemetry().atEdge?.(call({ _meta: { traceparent } }), headers, new ContextError('language-mismatch'));
    const span = lab.span('server');
    expect(span.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(span.attributes).toMatchObject({ 'error.type': '-32020', 'network.transport': 'tcp', 'mcp.protocol.version': '2026-07-28' });
    lab.reset();
    openTelemetry().atEdge?.(call({ _meta: { traceparent } }), headers);
    expect(lab.span('server').parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect([lab.span('server').attributes['error.type'], lab.span('server').status.code]).toEqual([undefined, SpanStatusCode.UNSET]);
    lab.reset();
    openTelemetry({ mode: 'propagate' }).atEdge?.(call(), headers, new ContextError('language-mismatch'));
    expect(lab.spans()).toEqual([]);
  });
});

describe('the current span', () => {
  it('it is the server span while the handler runs, also after it waited, and in its own requests', async () => {
    const seen: (string | undefined)[] = [];
    const [near, far] = wire();
    const otel = openTelemetry();
    otel.attach(near);
    otel.attach(far);
    near.onmessage = () => undefined;
    far.onmessage = ({ id, method }: Message) => {
      if (method === undefined) return;
      const current = (): void => void seen.push(trace.getSpanContext(context.active())?.spanId);
      current();
      void (async () => {
        await Promise.resolve();
        current();
        seen.push(spanIdOf(otel.carrier()['traceparent'] ?? ''));
        await far.send(result(id));
      })();
    };
    await near.send(call());
    await new Promise((resolve) => setImmediate(resolve));
    const { spanId } = lab.span('server').spanContext();
    expect(seen).toEqual([spanId, spanId, spanId]);
  });

  it('it is the client span while the request is being sent, for the HTTP spans below', async () => {
    const [near] = both();
    let current: string | undefined;
    const send = near.peer.arrive.bind(near.peer);
    near.peer.arrive = (message) => {
      current ??= trace.getSpanContext(context.active())?.spanId;
      send(message);
    };
    await near.send(call());
    expect(current).toBe(lab.span('client').spanContext().spanId);
  });

  it('a request that the server sends during a call is a child of the call', async () => {
    const [near, far] = wire();
    const otel = openTelemetry();
    otel.attach(near);
    otel.attach(far);
    near.onmessage = ({ id, method }: Message) => method !== undefined && void near.send(result(id));
    far.onmessage = ({ id, method }: Message) => {
      if (method === 'tools/call') void far.send(request('elicitation/create', {}, 'q1'));
      else void far.send(result(1));
      void id;
    };
    await near.send(call());
    const tool = lab.span('server', 'tools/call echo').spanContext();
    expect(lab.span('client', 'elicitation/create').parentSpanContext?.spanId).toBe(tool.spanId);
    expect(lab.span('server', 'elicitation/create').parentSpanContext?.spanId).toBe(
      lab.span('client', 'elicitation/create').spanContext().spanId,
    );
  });
});

describe('an outer span', () => {
  const agent = async (attributes: Message, run: () => Promise<void>): Promise<string> => {
    const span = trace.getTracer('agent').startSpan('execute_tool add', { attributes });
    await context.with(trace.setSpan(context.active(), span), run);
    span.end();
    return span.spanContext().spanId;
  };
  const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'echo' };

  it('the span of an agent that traces the same call is extended, not doubled', async () => {
    const [near] = both(({ id }) => result(id, { isError: true, content: [] }));
    const spanId = await agent(tool, () => near.send(call({}, 3)));
    const outer = lab.span('internal');
    expect(lab.spans()).toHaveLength(2);
    expect(outer.attributes).toMatchObject({
      ...tool,
      'mcp.method.name': 'tools/call',
      'jsonrpc.request.id': '3',
      'error.type': 'tool_error',
    });
    expect(lab.span('server').parentSpanContext?.spanId).toBe(spanId);
  });

  it('a span of another kind is the parent, and so is every span if joining is off', async () => {
    const spanId = await agent({ 'gen_ai.operation.name': 'invoke_agent' }, () => both()[0].send(call()));
    expect(lab.span('client').parentSpanContext?.spanId).toBe(spanId);
    lab.reset();
    await agent(tool, () => both(undefined, { joinToolSpan: false })[0].send(call()));
    expect(lab.span('client').name).toBe('tools/call echo');
  });

  it('our own span does not count: a tool that calls a tool of another server has a client span', async () => {
    const [next] = both();
    const [near, far] = wire();
    const otel = openTelemetry();
    otel.attach(near);
    otel.attach(far);
    near.onmessage = () => undefined;
    far.onmessage = ({ id }: Message) => void next.send(call({ name: 'inner' })).then(() => far.send(result(id)));
    await near.send(call({ name: 'outer' }));
    await new Promise((resolve) => setImmediate(resolve));
    const serving = lab.span('server', 'tools/call outer').spanContext();
    expect(lab.span('client', 'tools/call inner').parentSpanContext?.spanId).toBe(serving.spanId);
    expect(lab.spans()).toHaveLength(4);
  });
});

describe('progress', () => {
  it('progress becomes events on both spans, with numbers only', async () => {
    const progress = { progressToken: 1, progress: 2, total: 5, message: 'SECRET' };
    const [near] = both(({ id }, far) => {
      void (far as unknown as { send(m: Message, o: Message): Promise<void> }).send(
        { jsonrpc: '2.0', method: 'notifications/progress', params: progress },
        { relatedRequestId: 1 },
      );
      return result(id);
    });
    await near.send(call({ _meta: { progressToken: 1 } }));
    for (const kind of ['client', 'server'] as const) {
      expect(lab.span(kind).events.map(({ name, attributes }) => [name, attributes])).toEqual([
        ['mcp.progress', { 'mcp.progress.value': 2, 'mcp.progress.total': 5 }],
      ]);
    }
  });
});

describe('multi-round-trip', () => {
  const needs = { resultType: 'input_required', inputRequests: { colour: {} }, requestState: 'sealed' };

  it('IX-14: each leg has its own span in the same trace, also if nothing else ties them', async () => {
    const [near] = both(({ id, params }) => result(id, params.inputResponses === undefined ? needs : { content: [] }));
    await near.send(call({}, 1));
    await near.send(call({ inputResponses: { colour: {} }, requestState: 'sealed' }, 2));
    expect(new Set(lab.spans().map((span) => span.spanContext().spanId)).size).toBe(4);
    expect(new Set(lab.spans().map((span) => span.spanContext().traceId)).size).toBe(1);
    const [first, second] = lab.spans().filter(({ kind }) => kind === SpanKind.CLIENT);
    expect(second?.parentSpanContext?.spanId).toBe(first?.spanContext().spanId);
  });

  it('a leg is not tied to another call, or to two calls that wait for the same input', async () => {
    const [near] = both(({ id, params }) => result(id, params.inputResponses === undefined ? needs : { content: [] }));
    await near.send(call({}, 1));
    await near.send(call({ inputResponses: { colour: {} }, requestState: 'another' }, 2));
    await near.send(call({}, 3));
    await near.send(call({ inputResponses: { colour: {} }, requestState: 'sealed' }, 4));
    expect(new Set(lab.spans().map((span) => span.spanContext().traceId)).size).toBe(4);
  });
});

describe('metrics', () => {
  it('metrics follow the conventions on both sides, with a session from initialize to the end', async () => {
    const [near, far] = both(({ id, method }) =>
      method === 'initialize' ? result(id, { protocolVersion: '2025-11-25' }) : failure(id, -32603),
    );
    await near.send(request('initialize', {}));
    await near.send(call({ name: 'measured' }, 2));
    await Promise.all([near.close(), far.close()]);
    for (const side of ['client', 'server']) {
      const points = await lab.points(`mcp.${side}.operation.duration`);
      const point = points.find(({ attributes }) => attributes['gen_ai.tool.name'] === 'measured');
      expect(point?.attributes).toEqual({
        'mcp.method.name': 'tools/call',
        'mcp.protocol.version': '2025-11-25',
        'gen_ai.tool.name': 'measured',
        'gen_ai.operation.name': 'execute_tool',
        'error.type': '-32603',
        'rpc.response.status_code': '-32603',
      });
      expect(point?.value.buckets.boundaries).toEqual([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]);
      expect((await lab.points(`mcp.${side}.session.duration`)).map(({ attributes }) => attributes)).toEqual([
        { 'mcp.protocol.version': '2025-11-25' },
      ]);
    }
  });

  it('a peer that invents versions and codes makes at most a hundred rows of each, and does not use up known values', async () => {
    const fails = ({ id }: Message): Message =>
      id === 'tool' ? result(id, { isError: true }) : failure(id, id === 'known' ? -32_042 : -Number(id));
    const [near] = both(fails);
    const send = (id: number | string, version: string): Promise<void> =>
      near.send(request('made/up', { _meta: { 'io.modelcontextprotocol/protocolVersion': version } }, id));
    for (let id = 1; id <= 150; id++) await send(id, `v${id}`);
    expect(lab.spans().at(-1)?.attributes).toMatchObject({ 'mcp.protocol.version': 'v150', 'rpc.response.status_code': '-150' });
    for (const id of ['known', 'tool']) await send(id, '2026-07-28');
    for (const side of ['client', 'server']) {
      const points = await lab.points(`mcp.${side}.operation.duration`);
      const rows = points.map(({ attributes }) => attributes).filter((row) => row['mcp.method.name'] === 'made/up');
      const values = (name: string) => new Set(rows.map((row) => row[name]));
      expect(values('mcp.protocol.version').size).toBe(102);
      expect(rows).toContainEqual(expect.objectContaining({ 'mcp.protocol.version': '_OTHER', 'rpc.response.status_code': '_OTHER' }));
      expect(values('rpc.response.status_code')).toContain('-32042');
      expect(values('rpc.response.status_code').size).toBe(103);
      expect(rows).toContainEqual(expect.objectContaining({ 'mcp.protocol.version': '2026-07-28', 'error.type': 'tool_error' }));
      expect(values('error.type').size).toBeLessThanOrEqual(103);
    }
  });

  it('issues are counted by concern', async () => {
    openTelemetry().count({ concern: 'trace', key: 'traceparent', problem: 'is wrong' });
    expect(await lab.points('waybill.context.issues')).toMatchObject([{ attributes: { 'waybill.concern': 'trace' }, value: 1 }]);
  });
});
