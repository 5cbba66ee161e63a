import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  ACCEPT_LANGUAGE,
  CLIENT_CAPABILITIES,
  CLIENT_CONTEXT,
  CONTENT_LANGUAGE,
  EXTENSION_ID,
  OWN_CLIENT_CAPABILITIES,
  PROTOCOL_VERSION,
} from '../wire/keys.js';
import { trace } from '@opentelemetry/api';
import { openTelemetry } from '../otel/index.js';
import { openLab } from '../../../../test/otel/lab.js';
import { contextOf } from './context.js';
import { listCache } from './index.js';
import type { ServerContextOptions } from './options.js';
import { serverContext } from './server.js';
import { defineState } from './state/define.js';

const shop = defineState({ cart: { scope: 'session', schema: z.string() } });
const issues: unknown[] = [];
const OPTIONS: ServerContextOptions = {
  languages: ['en', 'de'],
  state: shop,
  tools: { book: { requires: { state: {}, extensions: { 'a/b': {} } } } },
  onIssue: (issue) => issues.push(issue),
};

/** The answers of a server without an SDK. Of the layer it uses only `contextOf()`. */
async function answerTo({ id, params }: any): Promise<object> {
  await Promise.resolve();
  const { language, environment, capabilities, trace } = contextOf();
  shop.of().cart.set('apples');
  const seen = [
    language.chosen,
    environment.timezone,
    capabilities.can('state'),
    trace.parent?.traceparent?.slice(3, 7),
    Object.keys(params._meta).length,
  ];
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: JSON.stringify(seen) }] } };
}

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const CONTEXT = { [ACCEPT_LANGUAGE]: 'de', [CLIENT_CONTEXT]: { timezone: 'Asia/Tokyo' }, traceparent: TRACEPARENT };
const REVISIONS = {
  '2025-11-25': { ...CONTEXT, [OWN_CLIENT_CAPABILITIES]: { state: {} } },
  '2026-07-28': { ...CONTEXT, [PROTOCOL_VERSION]: '2026-07-28', [CLIENT_CAPABILITIES]: { state: {} } },
};
const both = Object.entries(REVISIONS);

function toolCall(_meta: object, name = 'look', headers: Record<string, string> = {}): RequestInit {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name, arguments: {}, _meta } });
  return { method: 'POST', headers: { 'content-type': 'application/json', 'accept-language': 'de', ...headers }, body };
}

const json = async (request: Request): Promise<Response> => Response.json(await answerTo(await request.json()));

const NOISE = ': hello\n\nretry: 10\n\nevent: other\ndata: no json ü\n\n';
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1, message: 'Warte' } };

/** Sends small pieces, so that events and characters are cut anywhere. */
const stream = async (request: Request): Promise<Response> => {
  const message = await request.json();
  void contextOf().language.chosen;
  const events = `${NOISE}id: 1\r\ndata: ${JSON.stringify(progress)}\r\n\r\nid: 2\ndata: ${JSON.stringify(await answerTo(message))}\n\n: end`;
  const bytes = new TextEncoder().encode(events);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
};

const SEEN = (keys: number): string => JSON.stringify(['de', 'Asia/Tokyo', true, '0af7', keys]);

function expectServed(message: any, meta: object): void {
  expect(message.id).toBe(5);
  expect(message.result.content[0].text).toBe(SEEN(Object.keys(meta).length));
  expect(message.result._meta[CONTENT_LANGUAGE]).toBe('de');
  expect(JSON.stringify(message.result._meta)).toContain('apples');
}

describe('standalone: a server without an SDK gets the whole pipeline at the edge', () => {
  it.each(both)('a fetch handler that answers in JSON, on %s', async (_, meta) => {
    const serve = serverContext(OPTIONS).http(json, { standalone: true });
    const response = await serve(new Request('http://s.test/', toolCall(meta)));
    expect([response.status, response.headers.get('content-language'), response.headers.get('cache-control')]).toEqual([
      200,
      'de',
      'no-store',
    ]);
    expectServed(await response.json(), meta);
    expect(issues).toEqual([]);
  });

  it.each(both)('a fetch handler that answers in a stream, on %s: everything but messages stays byte for byte', async (_, meta) => {
    const serve = serverContext(OPTIONS).http({ fetch: stream }, { standalone: true });
    const response = await serve.fetch(new Request('http://s.test/', toolCall(meta)));
    expect(response.headers.get('cache-control')).toBe('no-store');
    const text = await response.text();
    expect(text.startsWith(`${NOISE}id: 1\r\ndata: `)).toBe(true);
    expect(text.endsWith('}\n\n: end')).toBe(true);
    const [, told, answer] = text.match(/^data: .*$/gm)!.map((line) => line.slice(6));
    expect(JSON.parse(told!).params).toEqual({ ...progress.params, _meta: { [CONTENT_LANGUAGE]: 'de' } });
    expectServed(JSON.parse(answer!), meta);
  });

  it('an event leaves before the next one is there', async () => {
    let next: () => void = () => undefined;
    const slow = (_request: Request): Promise<Response> => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('data: 1\n\n'));
          next = () => controller.close();
        },
      });
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    };
    const serve = serverContext(OPTIONS).http(slow, { standalone: true });
    const reader = (await serve(new Request('http://s.test/', toolCall(CONTEXT)))).body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: 1\n\n');
    next();
    expect((await reader.read()).done).toBe(true);
  });

  it.each(both)('a call that lacks a capability is refused before the handler, on %s', async (revision, meta) => {
    let ran = 0;
    const serve = serverContext(OPTIONS).http((_request: Request) => (ran++, Promise.resolve(Response.json({}))), { standalone: true });
    const response = await serve(new Request('http://s.test/', toolCall(meta, 'book')));
    expect(response.status).toBe(revision === '2026-07-28' ? 400 : 200);
    expect((await response.json()).error).toMatchObject({ code: -32021, data: { requiredCapabilities: { extensions: { 'a/b': {} } } } });
    expect(ran).toBe(0);
  });

  it('D-29: on 2025-11-25 a server cannot ask back without a session', async () => {
    const can = async (headers: Record<string, string>): Promise<unknown> => {
      const serve = serverContext().http(
        (_request: Request) =>
          Promise.resolve(
            Response.json({ can: [contextOf().capabilities.can('sampling'), contextOf().capabilities.can({ sampling: {} })] }),
          ),
        {
          standalone: true,
        },
      );
      const meta = { [ACCEPT_LANGUAGE]: 'de', [OWN_CLIENT_CAPABILITIES]: { sampling: {} } };
      return (await serve(new Request('http://s.test/', toolCall(meta, 'look', headers)))).json();
    };
    expect([await can({}), await can({ 'mcp-session-id': 's' })]).toEqual([{ can: [false, false] }, { can: [true, true] }]);
  });

  it('only requests are changed: notifications with their body, other methods and other bodies pass', async () => {
    const serve = serverContext().http(async (request) => new Response(`${request.method} ${await request.text()}`), { standalone: true });
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const post = new Request('http://s.test/', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(await (await serve(post)).text()).toBe(`POST ${body}`);
    expect(await (await serve(new Request('http://s.test/'))).text()).toBe('GET ');
  });

  const INITIALIZE = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: { name: 'x', version: '1' } },
  };
  const CALL = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'look' } };
  const posted = (body: unknown, headers: Record<string, string> = {}): Request =>
    new Request('http://s.test/', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const inSession = { 'mcp-session-id': 'one' };

  /** Gives out the session `one`, and answers a call with what its client can do. */
  const withSessions = async (request: Request): Promise<Response> => {
    if (request.method === 'DELETE') return new Response(null, { status: request.headers.get('x-refuse') === null ? 200 : 405 });
    const { id, method } = await request.json();
    if (method === 'initialize')
      return Response.json({ jsonrpc: '2.0', id, result: { capabilities: { tools: {} } } }, { headers: inSession });
    return Response.json({ jsonrpc: '2.0', id, result: { can: contextOf().capabilities.can('elicitation') } });
  };
  const canIn = async (serve: (request: Request) => Response | Promise<Response>, session: string): Promise<unknown> =>
    (await (await serve(posted(CALL, { 'mcp-session-id': session }))).json()).result.can;

  it('CAP-02: on 2025-11-25 initialize speaks for its session, until that ends', async () => {
    const serve = serverContext().http(withSessions, { standalone: true });
    expect(await canIn(serve, 'one')).toBe(false);
    await serve(posted(INITIALIZE));
    expect([await canIn(serve, 'one'), await canIn(serve, 'two')]).toEqual([true, false]);
    const refused = { method: 'DELETE', headers: { ...inSession, 'x-refuse': 'yes' } };
    await serve(new Request('http://s.test/', refused));
    expect(await canIn(serve, 'one')).toBe(true);
    await serve(new Request('http://s.test/', { method: 'DELETE', headers: inSession }));
    expect(await canIn(serve, 'one')).toBe(false);
  });

  it('BASE-02: a request of 2026-07-28 inherits nothing from a session', async () => {
    const serve = serverContext().http(withSessions, { standalone: true });
    await serve(posted(INITIALIZE));
    const modern = { ...CALL, params: { name: 'look', _meta: { [PROTOCOL_VERSION]: '2026-07-28', [CLIENT_CAPABILITIES]: {} } } };
    expect((await (await serve(posted(modern, inSession))).json()).result.can).toBe(false);
  });

  it('the extension is declared beside what the server declares', async () => {
    const serve = serverContext().http(withSessions, { standalone: true });
    const { result } = await (await serve(posted(INITIALIZE))).json();
    expect(result.capabilities).toEqual({ tools: {}, extensions: { [EXTENSION_ID]: { lifts: true } } });
  });

  it('a batch is served message by message, each with its own context', async () => {
    const serve = serverContext(OPTIONS).http(json, { standalone: true });
    const call = (id: number, name: string, zone: string): object => ({
      ...CALL,
      id,
      params: { name, _meta: { [OWN_CLIENT_CAPABILITIES]: { state: {} }, [CLIENT_CONTEXT]: { timezone: zone } } },
    });
    const batch = [call(1, 'look', 'Asia/Tokyo'), call(2, 'book', 'UTC'), call(3, 'look', 'Europe/Vienna')];
    const answers: any[] = await (await serve(posted(batch))).json();
    expect(answers.map(({ id, error, result }) => [id, error?.code ?? JSON.parse(result.content[0].text)[1]])).toEqual([
      [1, 'Asia/Tokyo'],
      [2, -32021],
      [3, 'Europe/Vienna'],
    ]);
  });

  it('a batch that is answered in streams leaves as one stream', async () => {
    const serve = serverContext(OPTIONS).http((request) => (request.headers.get('x-stream') ? stream(request) : json(request)), {
      standalone: true,
    });
    const batch = [1, 2].map((id) => ({ ...CALL, id, params: { name: 'look', _meta: CONTEXT } }));
    const response = await serve(posted(batch, { 'x-stream': 'yes', 'accept-language': 'de' }));
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const messages = (await response.text()).match(/^data: {.*$/gm)!.map((line) => JSON.parse(line.slice(6)));
    const ids = messages.map(({ id }) => id as number | undefined).sort();
    expect(ids).toEqual([1, 2, undefined, undefined]);
    expect(messages.every(({ result, params }) => (result ?? params)._meta[CONTENT_LANGUAGE] === 'de')).toBe(true);
  });

  it('observers are told of each exchange, and how it ended', async () => {
    const waybill = serverContext(OPTIONS);
    const seen: unknown[] = [];
    waybill.observe(({ method }) => {
      seen.push(method);
      return ({ outcome }) => seen.push(outcome);
    });
    const serve = waybill.http(
      (request) => {
        const kind = request.headers.get('x-kind');
        if (kind === 'json') return json(request);
        if (kind === 'stream') return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
        throw new Error('broken');
      },
      { standalone: true },
    );
    await serve(new Request('http://s.test/', toolCall(CONTEXT, 'look', { 'x-kind': 'json' })));
    await serve(new Request('http://s.test/', toolCall(CONTEXT, 'book', { 'x-kind': 'json' })));
    const streaming = await serve(new Request('http://s.test/', toolCall(CONTEXT, 'look', { 'x-kind': 'stream' })));
    await streaming.body!.cancel();
    await expect(serve(new Request('http://s.test/', toolCall(CONTEXT)))).rejects.toThrow('broken');
    const each = ['result', 'error', 'closed', 'closed'].flatMap((outcome) => ['tools/call', outcome]);
    expect(seen).toEqual(each);
  });

  it('a span begins with the request and ends with the answer, and the handler runs inside it', async () => {
    const lab = openLab();
    try {
      const waybill = serverContext({ ...OPTIONS, telemetry: openTelemetry() });
      const serve = waybill.http(
        async (request) => {
          trace.getTracer('handler').startSpan('inner').end();
          return json(request);
        },
        { standalone: true },
      );
      await serve(new Request('http://s.test/', toolCall(CONTEXT)));
      const outer = lab.span('server', 'tools/call look');
      expect(outer.spanContext().traceId).toBe(TRACEPARENT.slice(3, 35));
      expect(outer.attributes['network.protocol.name']).toBe('http');
      expect(lab.span('internal', 'inner').parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
    } finally {
      await lab.close();
    }
  });

  it('list_changed on a stream that answers no request empties the cache of lists', async () => {
    const waybill = serverContext({ ...OPTIONS, lists: listCache({ public: true }) });
    let version = 1;
    const serve = waybill.http(
      async (request) => {
        const changed = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n\n`;
        if (request.method === 'GET') return new Response(changed, { headers: { 'content-type': 'text/event-stream' } });
        const { id } = await request.json();
        return Response.json({ jsonrpc: '2.0', id, result: { tools: [{ name: `v${version}` }], ttlMs: 60_000, cacheScope: 'public' } });
      },
      { standalone: true },
    );
    const list = async (): Promise<unknown> => {
      const _meta = { [PROTOCOL_VERSION]: '2026-07-28', [CLIENT_CAPABILITIES]: {} };
      const response = await serve(posted({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }));
      return (await response.json()).result.tools[0].name;
    };
    const before = [await list(), await list()];
    version = 2;
    before.push(await list());
    await (await serve(new Request('http://s.test/'))).text();
    expect([...before, await list()]).toEqual(['v1', 'v1', 'v1', 'v2']);
  });

  it.each(both)('a listener of node:http, in JSON and in a stream, on %s', async (_, meta) => {
    const waybill = serverContext(OPTIONS);
    const listener = waybill.node(
      async (request, response) => {
        let text = '';
        for await (const chunk of request) text += Buffer.from(chunk as Uint8Array).toString();
        const answer = JSON.stringify(await answerTo(JSON.parse(text)));
        if (request.url === '/json') {
          response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answer) }).end(answer);
          return;
        }
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(`${NOISE}data: `);
        response.end(`${answer}\n\n`);
      },
      { standalone: true },
    );
    const server = createServer((request, response) => void listener(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const whole = await fetch(`${url}/json`, toolCall(meta));
      expect([whole.status, whole.headers.get('content-language')]).toEqual([200, 'de']);
      expectServed(await whole.json(), meta);
      const text = await (await fetch(`${url}/stream`, toolCall(meta))).text();
      expect(text.startsWith(NOISE)).toBe(true);
      expectServed(JSON.parse(text.slice(NOISE.length + 6)), meta);
      const refused = await fetch(`${url}/json`, toolCall(meta, 'book'));
      expect((await refused.json()).error.code).toBe(-32021);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('CAP-02: a listener of node:http remembers its sessions too, wherever the id is written, and ends what its client gave up', async () => {
    const waybill = serverContext();
    const outcomes: unknown[] = [];
    let ended: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      ended = resolve;
    });
    waybill.observe(() => ({ outcome }) => {
      outcomes.push(outcome);
      if (outcome === 'closed') ended();
    });
    const listener = waybill.node(
      (request, response, body) => {
        const { id, method } = (body ?? {}) as { id?: number; method?: string };
        if (request.method === 'DELETE') return void response.writeHead(204).end();
        if (method === 'tools/list') {
          response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
          return;
        }
        const result = method === 'initialize' ? {} : { can: contextOf().capabilities.can('elicitation') };
        const headers = { 'Content-Type': 'application/json', ...(method === 'initialize' && { 'Mcp-Session-Id': 'one' }) };
        response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      },
      { standalone: true },
    );
    const server = createServer((request, response) => void listener(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const serve = (request: Request): Promise<Response> =>
      fetch(url, { method: 'POST', headers: request.headers, body: request.body, duplex: 'half' } as RequestInit);
    try {
      await (await serve(posted(INITIALIZE))).text();
      expect([await canIn(serve, 'one'), await canIn(serve, 'two')]).toEqual([true, false]);
      await fetch(url, { method: 'DELETE', headers: inSession });
      expect(await canIn(serve, 'one')).toBe(false);
      const listening = await serve(posted({ ...CALL, method: 'tools/list' }));
      await listening.body!.cancel();
      await over;
      expect(outcomes).toEqual(['result', 'result', 'result', 'result', 'closed']);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
