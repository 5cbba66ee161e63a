import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  ACCEPT_LANGUAGE,
  CLIENT_CAPABILITIES,
  CLIENT_CONTEXT,
  CONTENT_LANGUAGE,
  OWN_CLIENT_CAPABILITIES,
  PROTOCOL_VERSION,
} from '../wire/keys.js';
import { contextOf } from './context.js';
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

function asked(_meta: object, name = 'look', headers: Record<string, string> = {}): RequestInit {
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
    const response = await serve(new Request('http://s.test/', asked(meta)));
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
    const response = await serve.fetch(new Request('http://s.test/', asked(meta)));
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
    const reader = (await serve(new Request('http://s.test/', asked(CONTEXT)))).body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: 1\n\n');
    next();
    expect((await reader.read()).done).toBe(true);
  });

  it.each(both)('a call that lacks a capability is refused before the handler, on %s', async (revision, meta) => {
    let ran = 0;
    const serve = serverContext(OPTIONS).http((_request: Request) => (ran++, Promise.resolve(Response.json({}))), { standalone: true });
    const response = await serve(new Request('http://s.test/', asked(meta, 'book')));
    expect(response.status).toBe(revision === '2026-07-28' ? 400 : 200);
    expect((await response.json()).error).toMatchObject({ code: -32021, data: { requiredCapabilities: { extensions: { 'a/b': {} } } } });
    expect(ran).toBe(0);
  });

  it('D-29: on 2025-11-25 a server cannot ask back without a session', async () => {
    const can = async (headers: Record<string, string>): Promise<unknown> => {
      const serve = serverContext().http(
        (_request: Request) => Promise.resolve(Response.json({ can: contextOf().capabilities.can('sampling') })),
        {
          standalone: true,
        },
      );
      const meta = { [ACCEPT_LANGUAGE]: 'de', [OWN_CLIENT_CAPABILITIES]: { sampling: {} } };
      return (await serve(new Request('http://s.test/', asked(meta, 'look', headers)))).json();
    };
    expect([await can({}), await can({ 'mcp-session-id': 's' })]).toEqual([{ can: false }, { can: true }]);
  });

  it('only requests are changed: notifications with their body, other methods and other bodies pass', async () => {
    const serve = serverContext().http(async (request) => new Response(`${request.method} ${await request.text()}`), { standalone: true });
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const post = new Request('http://s.test/', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(await (await serve(post)).text()).toBe(`POST ${body}`);
    expect(await (await serve(new Request('http://s.test/'))).text()).toBe('GET ');
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
      const whole = await fetch(`${url}/json`, asked(meta));
      expect([whole.status, whole.headers.get('content-language')]).toEqual([200, 'de']);
      expectServed(await whole.json(), meta);
      const text = await (await fetch(`${url}/stream`, asked(meta))).text();
      expect(text.startsWith(NOISE)).toBe(true);
      expectServed(JSON.parse(text.slice(NOISE.length + 6)), meta);
      const refused = await fetch(`${url}/json`, asked(meta, 'book'));
      expect((await refused.json()).error.code).toBe(-32021);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
