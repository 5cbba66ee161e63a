/** Lists from one finished answer per variant: their content, when they are dropped, and that every refusal of the SDK stays. */
import fc from 'fast-check';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { catalogs, listCache, serverContext, type ListCacheOptions, type ServerContextOptions } from 'waybill/server';
import { clientContext } from 'waybill/client';
import { localised } from './fixtures/layers/localised.mjs';
import { serveHttp } from './fixtures/serve.mjs';
import { CELLS, open, type Cell } from './harness.js';

const P = 'io.modelcontextprotocol/';
const VERSION = '2026-07-28';
const words = await catalogs({ en: {}, de: { tools: { a: { title: 'Ah' } } } }, { default: 'en' });

interface Shop {
  fetch(request: Request, options?: object): Promise<Response>;
  notify: { toolsChanged(): void; promptsChanged(): void };
  /** Counts the servers that were built, and the tool lists that were made. */
  built(): number;
  tools: string[];
}

/** A server of SDK v2 over HTTP; with `lists`, through the cache. */
function shop(
  lists?: ListCacheOptions,
  options: ServerContextOptions = {},
  hints: object = {},
): Shop & { cache: ReturnType<typeof listCache> | undefined } {
  const cache = lists && listCache(lists);
  const waybill = serverContext({ catalogs: words, ...options, ...(cache && { lists: cache }) });
  let built = 0;
  const tools = ['a', 'b'];
  const handler = createMcpHandler(
    waybill.attach((ctx: { authInfo?: { clientId: string } }) => {
      built++;
      const mcp = new McpServer({ name: 'shop', version: '1' }, { cacheHints: hints });
      for (const name of [...tools, ...(ctx.authInfo ? [`of_${ctx.authInfo.clientId}`] : [])])
        mcp.registerTool(name, { title: name.toUpperCase(), inputSchema: z.object({ x: z.string() }) }, () => ({ content: [] }));
      mcp.registerPrompt('p', {}, () => ({ messages: [] }));
      return mcp;
    }),
  );
  return { ...(waybill.http(handler as never) as object), notify: handler.notify, built: () => built, tools, cache } as never;
}

function request(method = 'tools/list', { language, meta = {}, headers = {}, body = {} }: any = {}): Request {
  const _meta = {
    [`${P}protocolVersion`]: VERSION,
    [`${P}clientCapabilities`]: {},
    ...(language && { [`${P}acceptLanguage`]: language }),
    ...meta,
  };
  return new Request('http://shop.test/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(language && { 'accept-language': language }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta }, ...body }),
  });
}

const seen = async (response: Response): Promise<unknown> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: await response.text(),
});
const titles = async (response: Promise<Response>): Promise<string[]> =>
  (await (await response).json()).result.tools.map((tool: any) => tool.title);

describe('over HTTP', () => {
  test('an answer of the edge has a span like any other', async () => {
    const traced: unknown[] = [];
    const telemetry = {
      around: (hooks: any) => hooks,
      carrier: () => ({}),
      atEdge: (message: any, _headers: unknown, error: unknown) => traced.push([message.method, error]),
    };
    const server = shop({ public: true }, { telemetry });
    for (let round = 0; round < 3; round++) expect((await server.fetch(request())).status).toBe(200);
    expect(server.built()).toBeLessThan(3);
    expect(traced).toEqual(Array.from({ length: 3 - server.built() }, () => ['tools/list', undefined]));
  });

  test('head and body of the answer are the same to the byte, and the factory is not asked again', async () => {
    const [plain, cached] = [shop(), shop({ public: true })];
    for (const language of ['de', 'de-AT,de;q=0.5', 'fr', undefined, '*'])
      for (const method of ['tools/list', 'prompts/list']) {
        const expected = await seen(await plain.fetch(request(method, { language })));
        for (let time = 0; time < 3; time++) expect(await seen(await cached.fetch(request(method, { language })))).toEqual(expected);
      }
    // German; the default for an unknown language, for any, and for none; for two lists.
    expect(cached.built()).toBe(8);
    expect(cached.cache?.size).toBe(8);
  });

  test('ttlMs and cacheScope are the author’s', async () => {
    const cached = shop({ public: true }, {}, { 'tools/list': { ttlMs: 5000, cacheScope: 'public' } });
    for (let time = 0; time < 2; time++)
      expect((await (await cached.fetch(request())).json()).result).toMatchObject({ ttlMs: 5000, cacheScope: 'public' });
    expect(cached.built()).toBe(1);
  });

  test('a change of a list drops only that list, in every language', async () => {
    const cached = shop({ public: true });
    for (const language of ['de', 'en'])
      for (const method of ['tools/list', 'prompts/list']) await cached.fetch(request(method, { language }));
    cached.tools.push('c');
    expect(await titles(cached.fetch(request('tools/list', { language: 'de' })))).toEqual(['Ah', 'B']);
    cached.notify.toolsChanged();
    expect(cached.cache?.size).toBe(2);
    expect(await titles(cached.fetch(request('tools/list', { language: 'de' })))).toEqual(['Ah', 'B', 'C']);
    cached.cache?.drop();
    expect(cached.cache?.size).toBe(0);
  });

  test('a list that changed while it was being made is not cached', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const cache = listCache({ public: true });
    const waybill = serverContext({
      lists: cache,
      parts: [{ name: 'slow', result: (result) => held.then(() => result) }],
    });
    const handler = createMcpHandler(
      waybill.attach(() => {
        const mcp = new McpServer({ name: 's', version: '1' });
        mcp.registerTool('a', {}, () => ({ content: [] }));
        return mcp;
      }),
    );
    const { fetch } = waybill.http(handler as never) as unknown as Shop;
    const answer = fetch(request());
    await new Promise((resolve) => setImmediate(resolve));
    handler.notify.toolsChanged();
    release();
    await answer;
    expect(cache.size).toBe(0);
    await fetch(request());
    expect(cache.size).toBe(1);
  });

  test('new texts drop everything', async () => {
    const own = await catalogs({ en: { tools: { a: { title: 'old' } } } }, { default: 'en' });
    const cached = shop({ public: true }, { catalogs: own });
    expect(await titles(cached.fetch(request()))).toEqual(['old', 'B']);
    await own.replace([{ language: 'en', source: 'x', content: { tools: { a: { title: 'new' } } } }]);
    expect(await titles(cached.fetch(request()))).toEqual(['new', 'B']);
  });

  test('each listKey has its own list, and a list without a key is not cached', async () => {
    const keyed = shop({ listKey: ({ headers }) => (headers as Headers).get('authorization') ?? undefined });
    const as = (clientId: string | undefined): Promise<string[]> =>
      titles(
        keyed.fetch(
          request('tools/list', { headers: clientId && { authorization: clientId } }),
          clientId ? { authInfo: { clientId } } : {},
        ),
      );
    for (let time = 0; time < 2; time++) {
      expect(await as('ada')).toEqual(['A', 'B', 'OF_ADA']);
      expect(await as('bob')).toEqual(['A', 'B', 'OF_BOB']);
      expect(await as(undefined)).toEqual(['A', 'B']);
    }
    expect(keyed.built()).toBe(4);
    expect(keyed.cache?.size).toBe(2);
  });

  test('a key that only the server behind the edge can see caches nothing', async () => {
    const keyed = shop({ listKey: ({ authInfo }) => (authInfo as { clientId?: string } | undefined)?.clientId ?? 'nobody' });
    // The handler gets the user, the edge does not.
    const inner = keyed.fetch;
    expect(await titles(inner(request(), { authInfo: { clientId: 'ada' } }))).toEqual(['A', 'B', 'OF_ADA']);
    expect(await titles(inner(request()))).toEqual(['A', 'B']);
    expect(await titles(inner(request(), { authInfo: { clientId: 'ada' } }))).toEqual(['A', 'B', 'OF_ADA']);
    expect(keyed.built()).toBe(2);
  });

  test('D-14: a filtered list has a variant for each set of capabilities, and stays private', async () => {
    const filtered = shop({ public: true }, { filter: 'declared', tools: { b: { requires: { sampling: {} } } } });
    const able = { meta: { [`${P}clientCapabilities`]: { sampling: {} } } };
    for (let time = 0; time < 2; time++) {
      const [less, more] = [await filtered.fetch(request()), await filtered.fetch(request('tools/list', able))];
      expect([less.headers.get('cache-control'), more.headers.get('cache-control')]).toEqual(['private', 'private']);
      expect((await less.json()).result.tools).toHaveLength(1);
      expect((await more.json()).result.tools).toHaveLength(2);
    }
    expect(filtered.built()).toBe(2);
  });

  test('LANG-63: an answer is private if the header was removed, and only then', async () => {
    const cached = shop({ public: true });
    const control = async (language: string | undefined, header: boolean): Promise<string | null> => {
      const listRequest = request('tools/list', { language });
      if (!header) listRequest.headers.delete('accept-language');
      return (await cached.fetch(listRequest)).headers.get('cache-control');
    };
    expect(await control('de', false)).toBe('private');
    expect(await control('de', true)).toBeNull();
    expect(await control('de', false)).toBe('private');
    expect(cached.built()).toBe(1);
  });

  test('memory grows with the used variants, up to the bound, not with requests', async () => {
    const cached = shop({ listKey: ({ headers }) => (headers as Headers).get('x-tenant') ?? 'none', maxVariants: 5 });
    for (let n = 0; n < 100; n++) await cached.fetch(request('tools/list', { headers: { 'x-tenant': String(n % 10) } }));
    expect(cached.cache?.size).toBe(5);
    // The first use adds the bytes of the answer to its text.
    for (let n = 5; n < 10; n++) await cached.fetch(request('tools/list', { headers: { 'x-tenant': String(n) } }));
    for (let n = 5; n < 10; n++) await cached.fetch(request('tools/list', { headers: { 'x-tenant': String(n) } }));
    const { bytes } = cached.cache!;
    for (let n = 0; n < 50; n++) await cached.fetch(request('tools/list', { headers: { 'x-tenant': '9' } }));
    expect(cached.cache?.bytes).toBe(bytes);
  });
});

describe('the refusals of D-19 come first', () => {
  const plain = shop();
  const cached = shop({ public: true });
  const strictly = [shop(undefined, { strict: true }), shop({ public: true }, { strict: true })] as const;

  type Change = (given: { headers: Record<string, string | undefined>; body: any; method: string }) => void;
  const header =
    (name: string, value?: string): Change =>
    (given) =>
      (given.headers[name] = value);
  const meta =
    (key: string, value: unknown): Change =>
    (given) => {
      if (typeof given.body?.params?._meta === 'object') given.body.params._meta[key] = value;
    };
  const body =
    (name: string, value: unknown): Change =>
    (given) => {
      if (typeof given.body === 'object' && given.body !== null && !Array.isArray(given.body)) given.body[name] = value;
    };
  const params =
    (name: string, value: unknown): Change =>
    (given) => {
      if (typeof given.body?.params === 'object' && given.body.params !== null) given.body.params[name] = value;
    };
  /** Everything the SDK checks, and things it does not. */
  const CHANGES: Change[] = [
    header('mcp-protocol-version'),
    header('mcp-protocol-version', '2025-11-25'),
    header('mcp-protocol-version', '2099-01-01'),
    header('mcp-protocol-version', ` ${VERSION} `),
    header('mcp-method'),
    header('mcp-method', 'tools/call'),
    header('mcp-method', 'TOOLS/LIST'),
    header('mcp-name', 'x'),
    header('content-type'),
    header('content-type', 'text/plain'),
    header('content-type', 'application/json; charset=utf-8'),
    header('content-type', 'application/json5'),
    header('accept'),
    header('accept', 'text/event-stream'),
    header('accept', 'text/html'),
    header('accept', '*/*'),
    header('accept-language', 'fr'),
    header('accept-language'),
    header('mcp-session-id', 'x'),
    header('authorization', 'Bearer x'),
    meta(`${P}protocolVersion`, '2025-11-25'),
    meta(`${P}protocolVersion`, '2099-01-01'),
    meta(`${P}protocolVersion`, 5),
    meta(`${P}protocolVersion`, undefined),
    meta(`${P}clientCapabilities`, undefined),
    meta(`${P}clientCapabilities`, null),
    meta(`${P}clientCapabilities`, []),
    meta(`${P}clientCapabilities`, { roots: 5 }),
    meta(`${P}clientCapabilities`, { elicitation: { form: {} } }),
    meta(`${P}clientCapabilities`, { extensions: { x: 1 } }),
    meta(`${P}clientCapabilities`, { state: {} }),
    meta(`${P}clientInfo`, { name: 'a', version: '1' }),
    meta(`${P}clientInfo`, { name: 5 }),
    meta(`${P}clientInfo`, 'x'),
    meta(`${P}logLevel`, 'info'),
    meta(`${P}logLevel`, 'loud'),
    meta('progressToken', 5),
    meta('progressToken', 1.5),
    meta('progressToken', {}),
    meta(`${P}related-task`, 5),
    meta('com.example/x', { y: 1 }),
    meta(`${P}acceptLanguage`, 'de'),
    meta(`${P}acceptLanguage`, 5),
    meta(`${P}clientContext`, { timezone: 'nowhere' }),
    meta('traceparent', 'rubbish'),
    body('jsonrpc', '1.0'),
    body('jsonrpc', undefined),
    body('id', 'x'),
    body('id', null),
    body('id', 1.5),
    body('id', undefined),
    body('id', {}),
    body('extra', 1),
    body('method', 'tools/nothing'),
    body('method', 'prompts/list'),
    body('method', 5),
    body('params', []),
    body('params', null),
    body('params', undefined),
    body('clientContext', { timezone: 'UTC' }),
    body('result', {}),
    params('cursor', 'x'),
    params('cursor', 5),
    params('cursor', null),
    params('other', 1),
    params('_meta', undefined),
    params('_meta', 'x'),
    params('_meta', []),
    (given) => (given.body = [given.body]),
    (given) => (given.body = []),
    (given) => (given.body = 'text'),
    (given) => (given.body = null),
    (given) => (given.method = 'GET'),
    (given) => (given.method = 'PUT'),
  ];

  const changedRequest = (changes: readonly Change[], language: string | undefined): Request => {
    const given = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        'mcp-method': 'tools/list',
        'accept-language': language,
      } as Record<string, string | undefined>,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/list',
        params: { _meta: { [`${P}protocolVersion`]: VERSION, [`${P}clientCapabilities`]: {}, [`${P}acceptLanguage`]: language } },
      } as any,
    };
    for (const change of changes) change(given);
    const headers = Object.entries(given.headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return new Request('http://shop.test/mcp', {
      method: given.method,
      headers,
      ...(given.method !== 'GET' && { body: JSON.stringify(given.body) }),
    });
  };
  /** On the old revision the SDK answers with a stream of one message; the finished answer is that message. A client accepts both. */
  const alike = (actual: any, expected: any): unknown => {
    if (!expected.headers['content-type']?.startsWith('text/event-stream') || actual.headers['content-type'] !== 'application/json')
      return actual;
    expect(actual.status).toBe(200);
    const { 'content-language': _, ...headers } = actual.headers;
    expect(headers).toEqual({ 'content-type': 'application/json', vary: expected.headers.vary });
    expect(JSON.parse(/^data: (\{.*\})$/m.exec(expected.body)![1]!)).toEqual(JSON.parse(actual.body));
    return expected;
  };
  const compare = async (shops: readonly [Shop, Shop], changes: readonly Change[], language: string | undefined): Promise<any> => {
    // Warm: every answer that could be given early is cached.
    for (let time = 0; time < 2; time++) await shops[1].fetch(changedRequest([], language));
    const [expected, actual] = [
      await seen(await shops[0].fetch(changedRequest(changes, language))),
      await seen(await shops[1].fetch(changedRequest(changes, language))),
    ];
    expect(alike(actual, expected)).toEqual(expected);
    // A second time: requests that passed must not make the cache answer more than before.
    expect(alike(await seen(await shops[1].fetch(changedRequest(changes, language))), expected)).toEqual(expected);
    return expected;
  };

  test('each single fault is refused with the same status and the same text, cached or not', async () => {
    const before = cached.built();
    const answers = [];
    for (const change of CHANGES) answers.push(await compare([plain, cached], [change], 'de'));
    expect(answers.filter(({ status }) => status >= 400).length).toBeGreaterThan(30);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(15);
    expect(cached.built()).toBeGreaterThan(before);
  });

  test('combined faults are refused in the same way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...CHANGES), { minLength: 2, maxLength: 4 }),
        fc.constantFrom('de', undefined, 'rubbish;;'),
        async (changes, language) => void (await compare([plain, cached], changes, language)),
      ),
      { numRuns: 150 },
    );
  });

  test('a strict server refuses malformed context, cached or not', async () => {
    const refused = await compare(strictly, [meta('traceparent', 'rubbish')], undefined);
    expect(refused).toMatchObject({ body: expect.stringContaining('-32602') });
    await compare(strictly, [meta(`${P}clientContext`, { timezone: 'nowhere' })], 'de');
  });

  test('the plain request itself is answered before the factory', async () => {
    await cached.fetch(changedRequest([], 'de'));
    const before = cached.built();
    expect((await cached.fetch(changedRequest([], 'de'))).status).toBe(200);
    expect(cached.built()).toBe(before);
  });
});

describe('on the old revision', () => {
  const legacy = (headers: Record<string, string> = {}): Request =>
    new Request('http://shop.test/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'accept-language': 'de', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: { [`${P}acceptLanguage`]: 'de' } } }),
    });

  test('a list is answered before the factory if there are no sessions', async () => {
    const cached = shop({ public: true });
    const first = await (await cached.fetch(legacy())).text();
    const built = cached.built();
    for (let time = 0; time < 3; time++) {
      const response = await cached.fetch(legacy());
      expect([response.status, response.headers.get('content-language')]).toEqual([200, 'de, en']);
      expect(first).toContain(`data: ${await response.text()}`);
    }
    expect(cached.built()).toBe(built);
    expect((await cached.fetch(legacy({ accept: 'application/json' }))).status).toBe(406);
    expect((await cached.fetch(legacy({ 'mcp-protocol-version': 'rubbish' }))).status).toBe(400);
  });

  test('without a valid session nothing is answered: sessions belong to the transport', async () => {
    const layer = await localised({ lists: { public: true } });
    const served = await serveHttp('v1', { json: true, layer });
    try {
      const post = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
        fetch(served.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
        });
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      const session = (await post({ method: 'initialize', params })).headers.get('mcp-session-id')!;
      const list = { method: 'tools/list', params: {} };
      for (let time = 0; time < 3; time++) expect((await post(list, { 'mcp-session-id': session })).status).toBe(200);
      expect(layer.lists.size).toBe(1);
      expect((await post(list)).status).toBe(400);
      expect((await post(list, { 'mcp-session-id': 'nobody' })).status).toBe(400);
    } finally {
      await served.close();
    }
  });
});

describe('through the transport', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  const cells = CELLS.filter(({ transport }) => transport === 'memory' || transport === 'http-sse');

  test.for(cells)('$client client, $server server, $transport: the same lists, until they change', async (cell: Cell) => {
    const layer = await localised({ lists: { public: true }, localise: { development: false } });
    const waybill = clientContext({ language: 'de' });
    const journey = await open(cell, { client: { transport: (transport) => waybill.attach(transport as never) }, server: layer });
    closing.push(() => journey.close());
    const { client } = journey;
    const page = async (language: string): Promise<any> => {
      waybill.update({ language });
      const { tools, prompts } = { ...(await client.request('tools/list', {})), ...(await client.request('prompts/list', {})) } as any;
      return [tools, prompts];
    };
    const first = { de: await page('de'), fr: await page('fr') };
    expect(first.de[0].find((tool: any) => tool.name === 'echo').title).toBe('Echo');
    expect(first.fr[0].find((tool: any) => tool.name === 'echo').title).toBe('Écho');
    expect(layer.lists.size).toBe(4);
    expect({ de: await page('de'), fr: await page('fr') }).toEqual(first);
    expect(layer.issues).toEqual([]);
    if (cell.server === 'v2' && client.era() === 'legacy' && cell.transport !== 'memory') return;
    await client.callTool({ name: 'grow', arguments: {} });
    expect(layer.lists.size).toBe(2);
    await page('de');
    expect(layer.lists.size).toBe(3);
  });
});
