import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, inputRequired, McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FetchHandler } from '../transport/index.js';
import { ACCEPT_LANGUAGE, CLIENT_CAPABILITIES, CLIENT_CONTEXT, CLIENT_INFO, CONTENT_LANGUAGE, PROTOCOL_VERSION } from '../wire/keys.js';
import { contextOf, type RequestContext } from './context.js';
import { catalogs } from './localise/catalogs.js';
import type { ServerContextOptions } from './options.js';
import { listCache } from './parts/lists.js';
import { serverContext } from './server.js';

const words = await catalogs(
  { en: { hi: 'hello', bad: 'bad', only: 'only English' }, fr: { hi: 'bonjour', bad: 'mauvais' }, de: { hi: 'hallo' } },
  { default: 'en' },
);
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const ENVELOPE = { [PROTOCOL_VERSION]: '2026-07-28', [CLIENT_INFO]: { name: 'test', version: '1' }, [CLIENT_CAPABILITIES]: {} };

function requestOf(method: string, params: { name?: string; _meta?: object }, header?: string): Request {
  const headers = {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
    ...(params.name !== undefined && { 'mcp-name': params.name }),
    ...(header !== undefined && { 'accept-language': header }),
  };
  const all = { ...params, _meta: { ...ENVELOPE, ...params._meta } };
  return new Request('http://a.example/mcp', {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: all }),
  });
}

/** Returns the languages that a server with one tool and one prompt claims in French; both do the same. */
async function speaking(run: (context: RequestContext) => string, options: ServerContextOptions = { catalogs: words }) {
  const waybill = serverContext(options);
  const build = waybill.attach(() => {
    const server = new McpServer({ name: 'test', version: '1' });
    server.registerTool('do', { inputSchema: z.object({}) }, (_args, ctx) => ({
      content: [{ type: 'text', text: run(contextOf(ctx)) }],
    }));
    server.registerPrompt('do', {}, (ctx) => ({
      messages: [{ role: 'user', content: { type: 'text', text: run(contextOf(ctx)) } }],
    }));
    return server;
  });
  const { fetch } = waybill.http(createMcpHandler(build));
  const french = { [ACCEPT_LANGUAGE]: 'fr' };
  const [tool, prompt] = await Promise.all(
    ['tools/call', 'prompts/get'].map(async (method) =>
      fetch(requestOf(method, { name: 'do', ...(method === 'tools/call' && { arguments: {} }), _meta: french }, 'fr')),
    ),
  );
  return [tool, prompt].map((response) => response!.headers.get('content-language'));
}

describe('LANG-23, LANG-28: an error has the language of the catalogue texts in it', () => {
  const failing = (text: string, code?: number): never => {
    throw Object.assign(new Error(text), code !== undefined && { code });
  };

  it('an error without catalogue texts has no language', async () => {
    const thrown = (context: RequestContext): never => failing(`ECONNREFUSED after ${context.t('hi').length} letters`);
    expect(await speaking(thrown)).toEqual([null, null]);
    expect(await speaking((context) => failing(`MCP: ${context.t('hi')}!`))).toEqual(['fr', 'fr']);
    expect(await speaking((context) => failing(context.t('only')))).toEqual(['en', 'en']);
    // The handler may put a text into capitals, trim it or put it between other words; a word inside a word does not count.
    expect(await speaking((context) => failing(context.t('bad').toUpperCase()))).toEqual(['fr', 'fr']);
    expect(await speaking((context) => failing(`un${context.t('bad')}e`))).toEqual([null, null]);
    expect(await speaking((context) => failing(`${context.t('only')}, ${context.t('hi')}`))).toEqual(['fr, en', 'fr, en']);
    // A text of this call that is not in the error does not count.
    expect(await speaking((context) => failing(context.t.in('de')('hi') && context.t('bad')))).toEqual(['fr', 'fr']);
  });

  it('a language that the author names counts as always', async () => {
    const failWith = (context: RequestContext): never => {
      context.t('hi');
      context.language.use('la');
      return failing('non licet');
    };
    expect(await speaking(failWith)).toEqual(['la', 'la']);
  });

  it('without catalogues: an internal error has no language, another code or text is the handler’s own', async () => {
    const options = { languages: ['en', 'fr'] };
    const looked = (context: RequestContext, code?: number): never => failing(`pas ${context.language.chosen}`, code);
    expect(await speaking((context) => looked(context), options)).toEqual(['fr', null]);
    expect(await speaking((context) => looked(context, 4001), options)).toEqual(['fr', 'fr']);
  });
});

describe('LANG-22: a question to the user', () => {
  it('a question has its own language, independent of earlier texts', async () => {
    const waybill = serverContext({ catalogs: words });
    const build = waybill.attach(() => {
      const server = new McpServer({ name: 'test', version: '1' });
      server.registerTool('do', { inputSchema: z.object({}) }, (_args, ctx) => {
        const { t, display } = contextOf(ctx);
        t('hi');
        const question = { message: display.t('only'), requestedSchema: { type: 'object', properties: {} } } as const;
        return inputRequired({ inputRequests: { size: inputRequired.elicit(question) } });
      });
      return server;
    });
    const { fetch } = waybill.http(createMcpHandler(build));
    const _meta = { [ACCEPT_LANGUAGE]: 'fr', [CLIENT_CAPABILITIES]: { elicitation: { form: {} } } };
    const response = await fetch(requestOf('tools/call', { name: 'do', arguments: {}, _meta } as never, 'fr'));
    expect([response.status, response.headers.get('content-language')]).toEqual([200, 'fr, en']);
  });
});

describe('a list cache', () => {
  /** Returns the titles of two callers, one after the other, and how many lists are kept then. */
  async function twice(look: (context: RequestContext) => unknown, first: object, second: object, options: ServerContextOptions = {}) {
    const lists = listCache({ public: true });
    const waybill = serverContext({ lists, ...options });
    const build = waybill.attach(() => {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the low-level server is the one whose lists may look at their request
      const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', (_request, ctx) => ({
        tools: [{ name: 'a', title: String(look(contextOf(ctx))), inputSchema: { type: 'object' } }],
      }));
      return server;
    });
    const { fetch } = waybill.http(createMcpHandler(build as never));
    const titles: unknown[] = [];
    for (const _meta of [first, second]) {
      const { result } = await (await fetch(requestOf('tools/list', { _meta }))).json();
      titles.push(result.tools[0].title);
    }
    return [...titles, lists.size];
  }

  it('CTX-32: a list cache keeps nothing that depends on what only one caller sends', async () => {
    const [tokyo, wien] = ['Asia/Tokyo', 'Europe/Vienna'].map((timezone) => ({ [CLIENT_CONTEXT]: { timezone } }));
    expect(await twice(({ environment }) => environment.timezone, tokyo!, wien!)).toEqual(['Asia/Tokyo', 'Europe/Vienna', 0]);
    const [ada, bob] = ['ada', 'bob'].map((user) => ({ 'com.example/user': user, traceparent: PARENT, baggage: `user=${user}` }));
    expect(await twice(({ meta }) => meta['com.example/user'], ada!, bob!)).toEqual(['ada', 'bob', 0]);
    expect(await twice(({ trace }) => trace.parent?.baggage, ada!, bob!)).toEqual(['user=ada', 'user=bob', 0]);
    // A value that is only passed on does not affect the answer.
    expect(await twice(({ trace }) => trace.carrier() && 'a', ada!, bob!)).toEqual(['a', 'a', 1]);
    const can = { [CLIENT_CAPABILITIES]: { sampling: {} } };
    expect(await twice(({ capabilities }) => capabilities.can('sampling'), can, {})).toEqual(['true', 'false', 0]);
  });

  it('LANG-60: it keeps nothing that depends on the preference itself, since another caller may have the same choice', async () => {
    const [ca, ch] = ['fr-CA', 'fr-CH'].map((tag) => ({ [ACCEPT_LANGUAGE]: tag }));
    const languages = { languages: ['en', 'fr'] };
    expect(await twice(({ language }) => language.preference?.text, ca!, ch!, languages)).toEqual(['fr-CA', 'fr-CH', 0]);
    expect(await twice(({ language }) => language.chosen, ca!, ch!, languages)).toEqual(['fr', 'fr', 1]);
    const [zh, en] = ['zh', 'en'].map((tag) => ({ [ACCEPT_LANGUAGE]: tag }));
    expect(await twice(({ language }) => language.matched, zh!, en!, languages)).toEqual(['false', 'true', 2]);
  });
});

describe('LANG-62, LANG-63: a handler that reads the preference on a server without languages', () => {
  it('its answer varies by the preference', async () => {
    const waybill = serverContext();
    const build = waybill.attach(() => {
      const server = new McpServer({ name: 'test', version: '1' });
      server.registerTool('do', { inputSchema: z.object({}) }, (_args, ctx) => {
        const { language } = contextOf(ctx);
        language.use(language.preference?.text);
        return { content: [] };
      });
      return server;
    });
    const { fetch } = waybill.http(createMcpHandler(build));
    const head = async (header?: string): Promise<unknown[]> => {
      const _meta = { [ACCEPT_LANGUAGE]: 'fr' };
      const { headers } = await fetch(requestOf('tools/call', { name: 'do', arguments: {}, _meta } as never, header));
      return ['content-language', 'vary', 'cache-control'].map((name) => headers.get(name));
    };
    expect(await head('fr')).toEqual(['fr', 'Accept-Language', null]);
    expect(await head()).toEqual(['fr', 'Accept-Language', 'private']);
  });
});

describe('D-24: a stream that is opened with GET', () => {
  const streaming: FetchHandler = () =>
    new Response('', { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' } });
  const get = new Request('http://a.example/mcp', { headers: { accept: 'text/event-stream', 'last-event-id': '1' } });

  it('it may repeat an answer, so it is not stored', async () => {
    const fetch: FetchHandler = serverContext({ languages: ['en', 'fr'] }).http(streaming);
    const { headers } = await fetch(get);
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['no-cache, no-transform, no-store', 'Accept-Language']);
  });

  it('a stream that node() serves is not stored either', async () => {
    const waybill = serverContext();
    const server = createServer((request, response) => {
      void waybill.node((_request, out) => void out.writeHead(200, { 'Content-Type': 'text/event-stream' }).end())(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { headers } = await globalThis.fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.close();
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('a stream of another handler is passed on', async () => {
    const nothing = (() => undefined) as unknown as FetchHandler;
    const fetch: FetchHandler = serverContext().http(nothing);
    expect(await fetch(get)).toBeUndefined();
  });

  it('no other answer to a GET is changed', async () => {
    const page: FetchHandler = () => new Response('<p>', { headers: { 'content-type': 'text/html' } });
    const fetch: FetchHandler = serverContext({ languages: ['en', 'fr'] }).http(page);
    const { headers } = await fetch(get);
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([null, null]);
  });
});

describe('LANG-20: a list without a text in it', () => {
  it.each<[string, object[], unknown]>([
    ['has no language if it is empty', [], undefined],
    ['has the author’s language if nothing is translated', [{ name: 'x', inputSchema: { type: 'object' } }], 'en'],
  ])('%s', async (_, tools, language) => {
    const waybill = serverContext({ catalogs: words });
    const build = waybill.attach(() => {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the low-level server is the one whose lists may look at their request
      const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', () => ({ tools }) as never);
      return server;
    });
    const { fetch } = waybill.http(createMcpHandler(build as never));
    const { result } = await (await fetch(requestOf('tools/list', { _meta: { [ACCEPT_LANGUAGE]: 'fr' } }))).json();
    expect(result._meta?.[CONTENT_LANGUAGE]).toBe(language);
  });
});
