import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FetchHandler } from '../transport/index.js';
import {
  ACCEPT_LANGUAGE,
  CLIENT_CONTEXT,
  CONTENT_LANGUAGE,
  EXTENSION_ID,
  OWN_CLIENT_CAPABILITIES,
  PROTOCOL_VERSION,
} from '../wire/keys.js';
import { baseAgrees } from './agreement.js';
import { contextOf } from './context.js';
import type { ServerContextOptions } from './options.js';
import { serverContext } from './server.js';

const headers = { 'content-type': 'application/json' };
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', _meta: { [ACCEPT_LANGUAGE]: 'fr' } } };
const post = (body: unknown, more: Record<string, string> = {}): Request =>
  new Request('http://a.example/mcp', { method: 'POST', body: JSON.stringify(body), headers: { ...headers, ...more } });
const answer = { jsonrpc: '2.0', id: 1, result: { content: [], _meta: { [CONTENT_LANGUAGE]: 'fr' } } };

describe('http() in front of a handler without attach()', () => {
  const waybill = serverContext({ languages: ['en', 'fr'] });
  const through = (handler: FetchHandler, request: Request, options = {}): Promise<Response> =>
    Promise.resolve(waybill.http(handler, options)(request));

  it('LANG-48: the header names the language of the body, no matter who wrote it there', async () => {
    const response = await through(() => Response.json(answer), post(call));
    expect([response.headers.get('content-language'), response.headers.get('vary')]).toEqual(['fr', 'Accept-Language']);
    expect(await response.json()).toEqual(answer);
  });

  it('LANG-62, LANG-63: Vary and Cache-Control are added to what is there, and public is removed', async () => {
    const given = { vary: 'Origin, accept-language', 'cache-control': 'public, max-age=60', 'content-language': 'de' };
    const response = await through(() => Response.json(answer, { headers: given }), post(call));
    expect([response.headers.get('vary'), response.headers.get('cache-control'), response.headers.get('content-language')]).toEqual([
      'Origin, accept-language',
      'max-age=60, private',
      'fr',
    ]);
  });

  it.each([
    ['a body that says nothing', () => Response.json({ jsonrpc: '2.0', id: 1, result: {} })],
    ['a body that is not JSON after all', () => new Response('{', { headers })],
    ['a body that is not an answer', () => Response.json([1])],
    ['a language that no header can hold', () => Response.json({ ...answer, result: { _meta: { [CONTENT_LANGUAGE]: 'fr\r\nX: y' } } })],
    ['an empty 202', () => new Response(null, { status: 202 })],
  ])('no language is added for %s', async (_, handler) => {
    expect((await through(handler, post(call))).headers.get('content-language')).toBeNull();
  });

  it('LANG-50: the head of a stream names no language, even if something in front set one', async () => {
    const given = { 'content-type': 'text/event-stream', 'content-language': 'de' };
    const response = await through(() => new Response('', { headers: given }), post(call));
    expect([response.headers.get('content-language'), response.headers.get('vary')]).toEqual([null, 'Accept-Language']);
  });

  it('a part learns once that the answer is a stream, with any number of edges in front', async () => {
    const told: string[] = [];
    const counting = serverContext({ parts: [{ name: 'counts', stream: ({ method }) => void told.push(method) }] });
    const handler: FetchHandler = () => new Response('', { headers: { 'content-type': 'text/event-stream' } });
    const twice: FetchHandler = counting.http(counting.http(handler));
    await twice(post(call));
    expect(told).toEqual(['tools/call']);
  });

  it('a request passes as JSON with an id instead of the request, a new one each time', async () => {
    const echo: FetchHandler = async (request) => new Response(await request.text(), { headers });
    const beside = { ...call, clientContext: { timezone: 'Asia/Tokyo' } };
    const response = await through(echo, post(beside), { rebuild: true });
    const id: unknown = expect.stringMatching(/^[0-9a-f]{32}$/);
    const seen: any = await response.json();
    expect(seen).toEqual({
      ...call,
      params: { ...call.params, _meta: { ...call.params._meta, [CLIENT_CONTEXT]: { timezone: 'Asia/Tokyo' }, [EXTENSION_ID]: id } },
    });
    // A peer that sends it again gets its own request.
    const again: any = await (await through(echo, post(seen), { rebuild: true })).json();
    expect(again.params._meta[EXTENSION_ID]).not.toBe(seen.params._meta[EXTENSION_ID]);
  });

  it('http() keeps the given object: plain ones with their members, others with their prototype', async () => {
    class App {
      readonly #secret = 'ok';
      fetch = (_request: Request): Response => new Response(this.#secret);
      close(): string {
        return 'closed';
      }
    }
    const plain = waybill.http({ fetch: (): Response => new Response('plain'), close: () => 'closed' });
    const app = waybill.http(new App());
    expect([plain.close(), app.close(), app instanceof App]).toEqual(['closed', 'closed', true]);
    const fetch: FetchHandler = app.fetch;
    expect(await (await fetch(post(call))).text()).toBe('ok');
    expect(() => waybill.http({} as never)).toThrow('fetch()');
  });

  it('a server without languages does not vary, and still refuses a mismatch', async () => {
    const handler: FetchHandler = () => Response.json(answer);
    const silent = serverContext().http(handler);
    const { headers: head } = await silent(post(call));
    expect([head.get('vary'), head.get('cache-control')]).toEqual([null, null]);
    expect((await silent(post(call, { 'accept-language': 'de' }))).status).toBe(400);
  });
});

describe('language.ignoreStarHeader', () => {
  const handler: FetchHandler = () => Response.json(answer);
  const told = async (options: ServerContextOptions, body: unknown, header?: string): Promise<unknown[]> => {
    const http: FetchHandler = serverContext(options).http(handler);
    const { status, headers: head } = await http(post(body, header === undefined ? {} : { 'accept-language': header }));
    return [status, head.get('cache-control'), head.get('vary')];
  };
  const tolerant: ServerContextOptions = { languages: ['en', 'fr'], language: { ignoreStarHeader: true } };
  const without = { ...call, params: { name: 'x' } };

  it.each<[string, unknown, string | undefined, unknown[]]>([
    ['a star beside a preference', call, '*', [200, 'private', 'Accept-Language']],
    ['a star with blanks around it', call, ' *\t', [200, 'private', 'Accept-Language']],
    ['a star without a preference', without, '*', [200, 'private', 'Accept-Language']],
    ['no header', call, undefined, [200, 'private', 'Accept-Language']],
    ['the same value', call, 'fr', [200, null, 'Accept-Language']],
    ['a star with a weight', call, '*;q=0.5', [400, null, 'Accept-Language']],
    ['two stars', call, '*, *', [400, null, 'Accept-Language']],
    ['a star among others', call, 'de, *', [400, null, 'Accept-Language']],
    ['another language', call, 'de', [400, null, 'Accept-Language']],
  ])('D-32, LANG-63: %s', async (_, body, header, expected) => {
    expect(await told(tolerant, body, header)).toEqual(expected);
  });

  it.each([undefined, {}, { ignoreStarHeader: false }])(
    'D-32, LANG-46: a star is refused unless the option is true: %j',
    async (language) => {
      const options = { languages: ['en', 'fr'], ...(language && { language }) };
      expect((await told(options, call, '*'))[0]).toBe(400);
      expect(await told(options, without, '*')).toEqual([200, null, 'Accept-Language']);
    },
  );

  it('D-32: a client that writes only _meta works with the fetch of Node, which adds the star itself', async () => {
    const seen: unknown[] = [];
    const listener = serverContext(tolerant).node((request, response) => {
      seen.push(request.headers['accept-language']);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    const server = createServer((request, response) => void listener(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', body: JSON.stringify(call), headers });
    server.close();
    expect([seen, response.status, response.headers.get('cache-control')]).toEqual([['*'], 200, 'private']);
  });

  it('ignoreStarHeader is true or false', () => {
    expect(() => serverContext({ language: { ignoreStarHeader: 'yes' as never } })).toThrow('language.ignoreStarHeader');
  });
});

describe('limits.total and limits.time', () => {
  afterEach(() => vi.useRealTimers());

  /** A request whose body has this many bytes and never ends. */
  const stuck = (size: number): Request => {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(size)) });
    return new Request('http://a.example/mcp', { method: 'POST', body, duplex: 'half', headers } as RequestInit);
  };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('they apply to all edges of one context together: 503 until a stuck body is dropped with 408', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const waybill = serverContext({ limits: { size: 1000, total: 1000, time: 5000 } });
    const handler: FetchHandler = () => Response.json(answer);
    const [one, other]: FetchHandler[] = [waybill.http(handler), waybill.http(handler)];
    const pending = one!(stuck(990));
    await settled();
    expect((await other!(post(call))).status).toBe(503);
    vi.advanceTimersByTime(4999);
    expect((await other!(post(call))).status).toBe(503);
    vi.advanceTimersByTime(1);
    expect((await pending).status).toBe(408);
    expect((await other!(post(call))).status).toBe(200);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the defaults are 64 MiB and 30 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const http: FetchHandler = serverContext().http(() => Response.json(answer));
    const pending = Array.from({ length: 16 }, async () => http(stuck(4 * 1024 * 1024)));
    await settled();
    expect((await http(post(call))).status).toBe(503);
    vi.advanceTimersByTime(29_999);
    await settled();
    expect((await http(post(call))).status).toBe(503);
    vi.advanceTimersByTime(1);
    expect((await Promise.all(pending)).map(({ status }) => status)).toEqual(pending.map(() => 408));
  });

  it.each([
    [{ total: 0 }, 'limits.total'],
    [{ time: 0.5 }, 'limits.time'],
    [{ totl: 5 }, 'limits.totl'],
  ])('a wrong limit is an error at construction: %j', (limits, path) => {
    expect(() => serverContext({ limits: limits as object })).toThrow(path);
  });
});

describe('the edge on the HTTP methods of a transport', () => {
  const open = async () => {
    const waybill = serverContext({ languages: ['en', 'fr'] });
    const server = { connect: async (transport: object) => void Object.assign(transport, { onmessage: () => undefined }) };
    const transport = {
      send: async () => undefined,
      close: async () => undefined,
      handleRequest: async (_request: Request, _options?: object): Promise<Response> => Response.json(answer),
    };
    await waybill.attach(server).connect(transport);
    return { waybill, transport };
  };
  const headOf = ({ status, headers: head }: Response) => [status, head.get('vary'), head.get('content-language')];

  it('it finishes the head if no edge is in front', async () => {
    const { transport } = await open();
    expect(headOf(await transport.handleRequest(post(call)))).toEqual([200, 'Accept-Language', 'fr']);
  });

  it('LANG-62: it also finishes the head of a refusal, and of a request without a place for the ticket', async () => {
    const { transport } = await open();
    expect(headOf(await transport.handleRequest(post(call, { 'accept-language': 'de' })))).toEqual([400, 'Accept-Language', null]);
    expect(headOf(await transport.handleRequest(post({ ...call, params: 5 })))).toEqual([200, 'Accept-Language', null]);
  });

  it('it leaves the head to the edge in front', async () => {
    const { waybill, transport } = await open();
    let inside: Response | undefined;
    const front: FetchHandler = waybill.http(async (request: Request, options?: object) => {
      inside = (await transport.handleRequest(request, options)).clone();
      return transport.handleRequest(request, options);
    });
    expect(headOf(await front(post(call)))).toEqual([200, 'Accept-Language', 'fr']);
    expect(inside && headOf(inside)).toEqual([200, null, null]);
  });

  it('LANG-63: it finishes the head if code behind the front edge has added to a batch', async () => {
    const { waybill, transport } = await open();
    const plain = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
    const adding = (more: object[]): FetchHandler =>
      waybill.http((request: Request, options?: any) =>
        transport.handleRequest(request, { ...options, parsedBody: [...options.parsedBody, ...more] }),
      );
    const kept = async (handler: FetchHandler): Promise<string | null> => (await handler(post([plain]))).headers.get('cache-control');
    // Only the added message asks for a language, and no header goes with it.
    expect([await kept(adding([])), await kept(adding([call]))]).toEqual([null, 'private']);
  });
});

describe('whether base headers agree with the body', () => {
  const claim = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'grüße', _meta: { [PROTOCOL_VERSION]: '2026-07-28' } } };
  const named = (name: unknown): object => ({ ...claim, params: { ...claim.params, name } });
  const base = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call' };
  const encoded = `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode('grüße')))}?=`;
  it.each<[string, object, Record<string, string>, boolean]>([
    ['all there', claim, { ...base, 'Mcp-Name': encoded }, true],
    ['another name', claim, { ...base, 'Mcp-Name': 'other' }, false],
    ['a name that is no Base64', claim, { ...base, 'Mcp-Name': '=?base64?%%?=' }, false],
    ['a name that is no UTF-8', claim, { ...base, 'Mcp-Name': '=?base64?/w==?=' }, false],
    ['a name that would only be repaired into this one', named('\ufffd'), { ...base, 'Mcp-Name': '=?base64?/w==?=' }, false],
    ['a name that is no text, which the SDK refuses', named(5), { ...base, 'Mcp-Name': '5' }, true],
    ['another method', claim, { ...base, 'Mcp-Method': 'tools/list', 'Mcp-Name': encoded }, false],
    ['another version', claim, { ...base, 'MCP-Protocol-Version': '2025-11-25', 'Mcp-Name': encoded }, false],
    ['none of them', claim, {}, false],
    ['a method without a name', { ...claim, method: 'tools/list' }, { ...base, 'Mcp-Method': 'tools/list' }, true],
    [
      'a method without a name, with any header',
      { ...claim, method: 'tools/list' },
      { ...base, 'Mcp-Method': 'tools/list', 'Mcp-Name': 'x' },
      true,
    ],
    ['a request without an envelope, which has no such headers', { ...claim, params: {} }, {}, true],
  ])('BASE-08: %s', (_, message, lines, agrees) => {
    expect(baseAgrees(message as never, new Headers(lines))).toBe(agrees);
  });
});

describe('a framework that serialises the message between the edge and the server', () => {
  /** Works like the transport of a framework that reads JSON and passes nothing beside the message. */
  const open = async () => {
    const waybill = serverContext({ languages: ['en', 'fr'] });
    const server = new McpServer({ name: 's', version: '1' });
    const seen: unknown[] = [];
    server.registerTool('x', {}, (extra) => {
      const { language, state } = contextOf(extra);
      seen.push(JSON.stringify(extra._meta), contextOf(extra).meta);
      state.session.set('cart', 'apples');
      return { content: [{ type: 'text', text: language.chosen }] };
    });
    let answered: (answer: unknown) => void = () => undefined;
    const transport = {
      onmessage: undefined as ((message: any) => void) | undefined,
      start: () => Promise.resolve(),
      close: () => Promise.resolve(),
      send: async (answer: unknown) => {
        await Promise.resolve();
        answered(answer);
      },
    };
    await waybill.attach(server).connect(transport);
    const handler = waybill.http(
      async (request: Request) => {
        const text = await request.text();
        seen.push(text);
        const answer = new Promise((resolve) => (answered = resolve));
        transport.onmessage?.(JSON.parse(text));
        return Response.json(await answer);
      },
      { rebuild: true },
    );
    return { handler, seen, deliver: (message: unknown) => transport.onmessage?.(message) };
  };
  const meta = { [ACCEPT_LANGUAGE]: 'fr', [OWN_CLIENT_CAPABILITIES]: { state: {} } };
  const request = { ...call, params: { name: 'x', arguments: {}, _meta: meta } };

  it('D-24: the server finds the request of the edge, so the edge finishes the head of its answer', async () => {
    const { handler } = await open();
    const response = await handler(post(request, { 'accept-language': 'fr' }));
    expect([response.headers.get('content-language'), response.headers.get('cache-control')]).toEqual(['fr', 'no-store']);
    expect(await response.text()).not.toContain(EXTENSION_ID);
  });

  it('a handler does not see the id, and the id works once', async () => {
    const { handler, seen, deliver } = await open();
    await handler(post(request, { 'accept-language': 'fr' }));
    const [text, inMeta, view] = seen as [string, string, object];
    expect([JSON.parse(inMeta), view]).toEqual([meta, meta]);
    const again = JSON.parse(text);
    again.params._meta[ACCEPT_LANGUAGE] = 'en';
    deliver(again);
    await vi.waitFor(() => {
      expect(seen).toHaveLength(5);
    });
    expect(seen[4]).toEqual({ ...meta, [ACCEPT_LANGUAGE]: 'en' });
  });
});
