import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { failingThenable, thenable } from '../../../../../test/support/thenable.js';
import type { FetchHandler } from '../../transport/index.js';
import { serverContext } from '../server.js';
import { listCache } from './lists.js';
import { Accepted, isPlainList, judgedOf } from './lists/early.js';
import { FinishedAnswer, FinishedAnswers } from './lists/finished.js';
import { listPart } from './lists/part.js';
import { contextOf } from '../context.js';
import { CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION, STATE_SPELLINGS } from '../../wire/keys.js';

const message = (text: string): Record<string, unknown> => ({ result: { tools: [{ name: text }] }, jsonrpc: '2.0', id: 7 });
const decode = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes)) as unknown;

describe('a finished answer', () => {
  it.each([1, -5, 'x', 'with "quotes" and ü'])('it is the same bytes except for the id: %j', (id) => {
    const given: Record<string, unknown> = { ...message('größe "id" "id":7 漢'), id };
    const finished = new FinishedAnswer({ ...given, id: 0 }, 0, null, undefined);
    expect(new TextDecoder().decode(finished.bytes(id))).toBe(JSON.stringify(given));
    expect(decode(finished.bytes(id))).toEqual(given);
    const other = { jsonrpc: '2.0', id, result: given['result'] };
    expect(new TextDecoder().decode(new FinishedAnswer(other, 0, null, undefined).bytes(id))).toBe(JSON.stringify(other));
  });

  it('it is an object that nobody can change for the next caller', () => {
    const given = message('a');
    const result = new FinishedAnswer(given, 0, null, undefined).result(undefined) as any;
    expect(result).toEqual(given['result']);
    expect(() => (result.tools[0].name = 'b')).toThrow(TypeError);
    expect(() => result.tools.push(1)).toThrow(TypeError);
    // The object of the SDK is not shared.
    (given['result'] as any).tools[0].name = 'c';
    expect(result.tools[0].name).toBe('a');
  });

  it('it shares equal parts with another language, and only those', () => {
    const list = (title: string, type = 'string'): Record<string, unknown> => ({
      jsonrpc: '2.0',
      id: 1,
      result: { tools: [{ name: 'a', title, inputSchema: { type: 'object', properties: { x: { type } } } }, { name: 'b' }] },
    });
    const [en, de] = [list('A'), list('Ah')].map((one) => new FinishedAnswer(one, 0, null, undefined));
    const english = en!.result(undefined) as any;
    const german = de!.result(english) as any;
    expect(german).toEqual(list('Ah')['result']);
    expect(german.tools[0].inputSchema).toBe(english.tools[0].inputSchema);
    expect(german.tools[1]).toBe(english.tools[1]);
    expect(Object.isFrozen(german.tools[0])).toBe(true);
    const other = new FinishedAnswer(list('A', 'number'), 0, null, undefined).result(english) as any;
    expect(other).toEqual(list('A', 'number')['result']);
    for (const [base, value] of [
      [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }],
      [{ a: { b: 1, c: 2 } }, { a: { b: 1 } }],
      [{ a: [1, 2] }, { a: { 0: 1, 1: 2 } }],
      [{ a: undefined }, { b: 1 }],
      [{ a: null }, { a: {} }],
    ])
      expect(new FinishedAnswer({ result: value, id: 1 }, 0, null, undefined).result(base)).toEqual(value);
  });
});

describe('a cache of finished answers', () => {
  const answers = (options: object = {}, clock = () => 0): FinishedAnswers =>
    new FinishedAnswers({ maxAge: 100, maxVariants: 3, maxBytes: 1e6, clock, ...options });
  const finished = (text = 'x', born = 0): FinishedAnswer => new FinishedAnswer(message(text), born, null, undefined);

  it('it keeps a limited number of answers, and drops the least recently used', () => {
    const kept = answers();
    for (const name of ['a', 'b', 'c']) kept.put(name, finished());
    kept.get('a');
    kept.put('d', finished());
    expect(['a', 'b', 'c', 'd'].map((name) => kept.get(name) !== undefined)).toEqual([true, false, true, true]);
    expect(kept.size).toBe(3);
  });

  it('it keeps a limited number of bytes', () => {
    const one = finished('x').size;
    const kept = answers({ maxBytes: one * 2 + 1, maxVariants: 100 });
    for (const name of ['a', 'b', 'c']) kept.put(name, finished());
    expect([kept.size, kept.bytes]).toEqual([2, one * 2]);
    kept.put('huge', finished('x'.repeat(10_000)));
    expect(kept.get('huge')).toBeUndefined();
    expect(kept.size).toBe(2);
  });

  it('it keeps answers for a limited time, even if the clock is set back or forward', () => {
    let time = 0;
    const kept = answers({}, () => time);
    kept.put('a', finished());
    time = 99;
    expect(kept.get('a')).toBeDefined();
    time = 100;
    expect(kept.get('a')).toBeUndefined();
    expect([kept.size, kept.bytes]).toEqual([0, 0]);
    kept.put('a', finished('x', 100));
    time = 50;
    expect(kept.get('a')).toBeUndefined();
  });

  it('it drops what a change affects', () => {
    const kept = answers();
    kept.put('tools/list 1', finished());
    kept.put('prompts/list 1', finished());
    kept.drop('tools/list ');
    expect(kept.get('tools/list 1')).toBeUndefined();
    expect(kept.get('prompts/list 1')).toBeDefined();
    kept.drop();
    expect([kept.size, kept.bytes]).toEqual([0, 0]);
  });

  it('it replaces an answer without counting it twice', () => {
    const kept = answers();
    kept.put('a', finished());
    kept.put('a', finished());
    expect([kept.size, kept.bytes]).toEqual([1, finished().size]);
  });
});

describe('a request that an edge may answer', () => {
  const meta = { [PROTOCOL_VERSION]: '2026-07-28', [CLIENT_CAPABILITIES]: {} };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } };

  it.each<[object, boolean]>([
    [list, true],
    [{ ...list, params: undefined }, true],
    [{ ...list, params: {} }, true],
    [{ ...list, params: { _meta: meta, cursor: 'x' } }, true],
    [{ ...list, params: { _meta: { ...meta, progressToken: 'x', other: 1, 'com.example/x': {} } } }, true],
    [{ ...list, jsonrpc: '1.0' }, false],
    [{ ...list, extra: 1 }, false],
    [{ ...list, params: [] }, false],
    [{ ...list, params: { cursor: null } }, false],
    [{ ...list, params: { cursor: 5 } }, false],
    [{ ...list, params: { other: 1 } }, false],
    [{ ...list, params: { _meta: [] } }, false],
    [{ ...list, params: { _meta: { progressToken: 1.5 } } }, false],
    [{ ...list, params: { _meta: { progressToken: {} } } }, false],
    [{ ...list, params: { _meta: { 'io.modelcontextprotocol/related-task': 5 } } }, false],
  ])('it has nothing that could be refused: %j is %s', (request, expected) => {
    expect(isPlainList(request as never)).toBe(expected);
  });

  const headers = {
    host: 'shop.test',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/list',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const full = { ...meta, [CLIENT_INFO]: { name: 'a', version: '1' }, [LOG_LEVEL]: 'info' };

  it.each<[object, object]>([
    [{}, { 'content-type': 'text/plain' }],
    [{}, { 'content-type': undefined }],
    [{}, { 'mcp-method': 'tools/call' }],
    [{}, { 'mcp-name': 'x' }],
    [{}, { 'mcp-method': ['tools/list', 'tools/list'] }],
    [{}, { 'mcp-protocol-version': undefined }],
    [{}, { host: 'evil.test' }],
    [{}, { origin: 'https://evil.test' }],
    [{}, { accept: 'text/event-stream' }],
    [{}, { accept: 'application/json;q=0, text/event-stream' }],
    [{}, { 'mcp-session-id': 'x' }],
    [{ [LOG_LEVEL]: 'loud' }, {}],
    [{ [CLIENT_CAPABILITIES]: null }, {}],
    [{ [CLIENT_INFO]: undefined }, {}],
    [{ [PROTOCOL_VERSION]: '2099-01-01' }, {}],
  ])('everything that is checked identifies it: another is %j %j', (otherMeta, otherHeaders) => {
    const accepted = new Accepted();
    accepted.add(judgedOf('tools/list', full, headers));
    const other = judgedOf('tools/list', { ...full, ...otherMeta }, { ...headers, ...otherHeaders });
    expect(accepted.has(other)).toBe(false);
    expect(accepted.has(judgedOf('tools/list', full, headers))).toBe(true);
    expect(accepted.has(judgedOf('prompts/list', full, headers))).toBe(false);
  });

  it('parts that nobody checks do not matter', () => {
    const more = { ...headers, 'user-agent': 'x', authorization: 'y', 'accept-language': 'de' };
    expect(judgedOf('tools/list', { ...full, progressToken: 5, 'com.example/x': 1 }, more)).toBe(judgedOf('tools/list', full, headers));
  });

  it('a very long request is not remembered, and their number is limited', () => {
    const accepted = new Accepted();
    accepted.add('x'.repeat(10_000));
    expect(accepted.has('x'.repeat(10_000))).toBe(false);
    for (let n = 0; n < 5000; n++) accepted.add(String(n));
    expect(accepted.has('4999')).toBe(true);
    expect(accepted.has('0')).toBe(false);
    expect(accepted.has(undefined)).toBe(false);
  });
});

/** Returns the tools that are listed for these headers. */
async function namesFrom(handler: FetchHandler, headers: Record<string, string>): Promise<string[]> {
  const _meta = { [PROTOCOL_VERSION]: '2026-07-28', [CLIENT_INFO]: { name: 'x', version: '1' }, [CLIENT_CAPABILITIES]: {} };
  const response = await handler(
    new Request('http://shop.test/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }),
    }),
  );
  return (await response.json()).result.tools.map(({ name }: { name: string }) => name);
}

describe('a list that the author makes for each request', () => {
  type List = (ctx: object, time: number) => object;
  const shop = (list: List) => {
    let made = 0;
    let servers = 0;
    const lists = listCache({ public: true });
    const waybill = serverContext({ lists, languages: ['en', 'fr'] });
    const handler = waybill.http(
      createMcpHandler(
        waybill.attach(() => {
          servers++;
          const server = new McpServer({ name: 'shop', version: '1' }, { capabilities: { tools: {} } });
          server.server.setRequestHandler('tools/list', (_request, ctx) => {
            const tools = [{ name: `t${++made}`, inputSchema: { type: 'object' as const } }];
            return { tools, ...list(ctx, made) };
          });
          return server;
        }),
      ),
    );
    return { lists, servers: () => servers, names: (headers: Record<string, string> = {}) => namesFrom(handler.fetch, headers) };
  };
  const threeTimes = async (list: List): Promise<unknown> => {
    const { lists, names } = shop(list);
    return [await names(), await names(), await names(), lists.size];
  };
  const ANEW = [['t1'], ['t2'], ['t3'], 0];

  it('it is cached', async () => {
    expect(await threeTimes(() => ({}))).toEqual([['t1'], ['t1'], ['t1'], 1]);
  });

  it.each(STATE_SPELLINGS.session)('IX-09: it is not cached if it sets state: %s', async (key) => {
    expect(await threeTimes((_, time) => ({ _meta: { [key]: { visit: time } } }))).toEqual(ANEW);
  });

  it('IX-09: it is not cached if it sets state through the context', async () => {
    const list: List = (ctx, time) => (contextOf(ctx).state.server.set('visit', time), {});
    expect(await threeTimes(list)).toEqual(ANEW);
  });

  it('LANG-60: it is not cached if its handler named the language itself', async () => {
    expect(await threeTimes((ctx) => (contextOf(ctx).language.use('fr'), {}))).toEqual(ANEW);
    expect(await threeTimes((ctx) => (contextOf(ctx).language.use(undefined), {}))).toEqual(ANEW);
  });

  it('D-19: a request with an Mcp-Name that no server has checked yet goes to a server, although its list is cached', async () => {
    const { names, servers } = shop(() => ({}));
    const seen: unknown[] = [];
    for (const headers of [{}, {}, { 'mcp-name': 'x' }, {}]) seen.push([await names(headers), servers()]);
    expect(seen).toEqual([
      [['t1'], 1],
      [['t1'], 1],
      [['t1'], 2],
      [['t1'], 2],
    ]);
  });
});

describe('a key that depends on something behind the edge', () => {
  /** The user is found out behind the edge; in front there is only what the request claims. */
  const shop = () => {
    const lists = listCache({
      listKey: ({ authInfo, headers }) =>
        (authInfo as { clientId?: string } | undefined)?.clientId ?? (headers as Headers).get('x-tenant') ?? 'nobody',
    });
    const waybill = serverContext({ lists });
    const inner = createMcpHandler(
      waybill.attach(({ authInfo }: { authInfo?: { clientId: string } }) => {
        const server = new McpServer({ name: 'shop', version: '1' });
        server.registerTool(`of_${String(authInfo?.clientId)}`, {}, () => ({ content: [] }));
        return server;
      }),
    );
    const authenticated: FetchHandler = (request, options) => {
      const clientId = request.headers.get('authorization') ?? '';
      return inner.fetch(request, { ...options, authInfo: { clientId, token: '', scopes: [] } });
    };
    const handler = waybill.http(authenticated);
    return { lists, names: (headers: Record<string, string>) => namesFrom(handler, headers) };
  };

  it('nothing is cached: an answer for one user must not go to another who claims to be the same', async () => {
    const { lists, names } = shop();
    expect(await names({ authorization: 'ann' })).toEqual(['of_ann']);
    expect(lists.size).toBe(0);
    expect(await names({ authorization: 'bob', 'x-tenant': 'ann' })).toEqual(['of_bob']);
  });
});

describe('a key that is not a text', () => {
  const PROMISE = 'TypeError: lists.listKey: returned a promise; return the value itself';
  const NO_TEXT = 'TypeError: lists.listKey: expected a text or undefined, returned something else';
  const boom = (): never => {
    throw new Error('boom');
  };
  const keys: [string, (tenant: string) => unknown, string][] = [
    ['a promise', async (tenant) => Promise.resolve(tenant), PROMISE],
    ['a promise that is rejected', async () => Promise.reject(new Error('no tenant')), PROMISE],
    ['a thenable', (tenant) => thenable(tenant), PROMISE],
    ['a thenable that is rejected', () => failingThenable(new Error('no tenant')), PROMISE],
    ['a Map', (tenant) => new Map([['tenant', tenant]]), NO_TEXT],
    ['null', () => null, NO_TEXT],
    ['an error', boom, 'Error: boom'],
  ];

  it.each(keys)('nothing is cached and the fault is reported once for each request: %s', async (_what, keyOf, fault) => {
    const lists = listCache({ listKey: ({ headers }) => keyOf((headers as Headers).get('x-tenant') ?? '') as string });
    const faults: unknown[] = [];
    const waybill = serverContext({ lists, onFault: (error) => faults.push(error) });
    const handler = waybill.http(
      createMcpHandler(
        waybill.attach(({ requestInfo }: { requestInfo?: Request }) => {
          const server = new McpServer({ name: 'shop', version: '1' });
          server.registerTool(`of_${String(requestInfo?.headers.get('x-tenant'))}`, {}, () => ({ content: [] }));
          return server;
        }),
      ),
    );
    for (const tenant of ['ann', 'ann', 'bob']) expect(await namesFrom(handler.fetch, { 'x-tenant': tenant })).toEqual([`of_${tenant}`]);
    expect(lists.size).toBe(0);
    expect(faults.map(String)).toEqual([fault, fault, fault]);
  });
});

describe('options of the list cache', () => {
  it.each<[object, string]>([
    [{}, 'lists: expected either public: true'],
    [{ public: true, listKey: () => 'x' }, 'lists: expected either public: true'],
    [{ public: false }, 'lists: expected either public: true'],
    [{ listKey: 'x' }, 'lists.listKey: expected a function'],
    [null as never, 'lists: expected an object'],
    [{ public: true, maxage: 5 }, 'lists.maxage: unknown option; did you mean maxAge?'],
    [{ public: true, clock: 5 }, 'lists.clock: expected a function'],
    [{ public: true, maxAge: 0 }, 'lists.maxAge: expected a positive number'],
    [{ public: true, maxVariants: Number.NaN }, 'lists.maxVariants: expected a positive number'],
    [{ public: true, maxBytes: '5' }, 'lists.maxBytes: expected a positive number'],
  ])('options without public or listKey are an error: %j', (options, problem) => {
    expect(() => listCache(options as never)).toThrow(problem);
  });

  it('lists takes only the result of listCache()', () => {
    expect(() => listPart({ size: 0, bytes: 0, drop: () => undefined }, {})).toThrow('lists: expected the value that listCache() returns');
    expect(listPart(listCache({ public: true }), {}).early).toBeDefined();
    expect(listPart(listCache({ public: true }), { parts: [{ name: 'auth', before: () => undefined }] }).early).toBeUndefined();
  });
});
