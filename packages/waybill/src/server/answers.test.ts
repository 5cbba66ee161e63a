import { inspect } from 'node:util';
import { createMcpHandler, McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ACCEPT_LANGUAGE, CLIENT_CAPABILITIES, CLIENT_CONTEXT, CLIENT_INFO, PROTOCOL_VERSION, TRACEPARENT } from '../wire/keys.js';
import { contextOf, type RequestContext } from './context.js';
import type { ServerContextOptions } from './options.js';
import { listCache } from './parts/lists.js';
import { serverContext } from './server.js';

interface Asking {
  readonly authorization?: string;
  readonly meta?: object;
  readonly params?: object;
  readonly mode?: 'sse';
}

const ENVELOPE = {
  [PROTOCOL_VERSION]: '2026-07-28',
  [CLIENT_INFO]: { name: 'test', version: '1' },
  [CLIENT_CAPABILITIES]: { sampling: {} },
};

function requestOf(method: string, { meta, params, authorization }: Asking = {}): Request {
  const name = (params as { uri?: string; name?: string } | undefined)?.uri ?? (params as { name?: string } | undefined)?.name;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
    ...(authorization !== undefined && { authorization }),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...ENVELOPE, ...meta } } });
  return new Request('http://a.example/mcp', { method: 'POST', headers, body });
}

/** Sends one request of 2026-07-28 to a server behind `createMcpHandler`, as its documentation shows it. */
async function ask(options: ServerContextOptions, build: () => object, method: string, asking: Asking = {}) {
  const waybill = serverContext(options);
  const handler = createMcpHandler(waybill.attach(build) as never, asking.mode && { responseMode: asking.mode });
  const response = await waybill.http(handler).fetch(requestOf(method, asking));
  return { response, answer: async (): Promise<any> => response.json() };
}

describe('CTX-32: an answer that depends on what only this caller sends', () => {
  const CACHE = { cacheHints: { 'resources/read': { ttlMs: 60_000, cacheScope: 'public' } } } as never;
  const reading = (look: (context: RequestContext) => unknown) => () => {
    const server = new McpServer({ name: 'test', version: '1' }, CACHE);
    server.registerResource('doc', 'doc://a', {}, (uri, ctx) => ({
      contents: [{ uri: uri.href, text: String(look(contextOf(ctx))) }],
    }));
    return server;
  };
  const read = async (look: (context: RequestContext) => unknown): Promise<unknown[]> => {
    const asking = { params: { uri: 'doc://a' }, meta: { [ACCEPT_LANGUAGE]: 'fr', [CLIENT_CONTEXT]: { timezone: 'Asia/Tokyo' } } };
    const { response, answer } = await ask({ languages: ['en', 'fr'] }, reading(look), 'resources/read', asking);
    const { result } = await answer();
    return [result.contents[0].text, result.cacheScope, result.ttlMs, /private/.test(response.headers.get('cache-control') ?? '')];
  };

  it.each<[string, (context: RequestContext) => unknown, string]>([
    ['its surroundings', ({ environment }) => environment.timezone, 'Asia/Tokyo'],
    ['its capabilities', ({ capabilities }) => capabilities.can('sampling'), 'true'],
    ['its state', ({ state }) => state.session.get('a'), 'undefined'],
    ['its way of writing', ({ format }) => format.timezone, 'Asia/Tokyo'],
  ])('%s: the answer is for nobody else', async (_, look, seen) => {
    expect(await read(look)).toEqual([seen, 'private', 60_000, true]);
  });

  it('an answer that depends only on the language stays as its author says', async () => {
    const seen = await read(({ language, t }) => [language.chosen, t('key')].join());
    // The preference had no header: LANG-63.
    expect(seen).toEqual(['fr,key', 'public', 60_000, true]);
  });
});

describe('D-14: a filtered list that is made after the head of its stream leaves', () => {
  it.each(['sse', undefined] as const)('the stream is private (%s)', async (mode) => {
    const build = (): object => {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the low-level server is the one whose lists may wait
      const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return { tools: [{ name: 'a', inputSchema: { type: 'object' as const } }] };
      });
      return server;
    };
    const { response } = await ask({ filter: 'declared' }, build, 'tools/list', mode && { mode });
    expect(response.headers.get('cache-control')).toContain('private');
    await response.text();
  });
});

describe('a request that a part delays', () => {
  const tools = (): object => {
    const server = new McpServer({ name: 'test', version: '1' });
    server.registerTool('refuses', { inputSchema: z.object({}) }, (_args, ctx) => {
      throw contextOf(ctx).error(-32601, 'not here');
    });
    return server;
  };
  const parts = [{ name: 'slow', before: (): Promise<void> => Promise.resolve() }];

  it('a refusal of the SDK has the same status as without the delay', async () => {
    for (const options of [{}, { parts }]) {
      const { response, answer } = await ask(options, tools, 'prompts/list');
      expect([response.status, (await answer()).error.code]).toEqual([404, -32601]);
    }
  });

  it('an error of a handler stays an error of the handler', async () => {
    for (const options of [{}, { parts }]) {
      const { response, answer } = await ask(options, tools, 'tools/call', { params: { name: 'refuses', arguments: {} } });
      expect([response.status, (await answer()).error.code]).toEqual([200, -32601]);
    }
  });
});

describe('D-13: strict', () => {
  const build = (): object => new McpServer({ name: 'test', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  it('strict also refuses requests that the SDK handler serves itself', async () => {
    const params = { notifications: { toolsListChanged: true } };
    const bad = { params, meta: { [TRACEPARENT]: 'x' } };
    const { response, answer } = await ask({ strict: true }, build, 'subscriptions/listen', bad);
    expect([response.status, (await answer()).error.data.path]).toEqual([400, TRACEPARENT]);
    for (const [options, asking] of [
      [{ strict: true }, { params }],
      [{}, bad],
    ]) {
      const taken = (await ask(options as ServerContextOptions, build, 'subscriptions/listen', asking as Asking)).response;
      expect([taken.status, taken.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      await taken.body?.cancel();
    }
  });
});

describe('two servers of one context', () => {
  it('each server gives its own list, however often it is asked', async () => {
    const waybill = serverContext({ lists: listCache({ public: true }) });
    const handlers = ['alpha', 'beta'].map((name) => {
      const build = (): object => {
        const server = new McpServer({ name, version: '1' });
        server.registerTool(name, { inputSchema: z.object({}) }, () => ({ content: [] }));
        return server;
      };
      return waybill.http(createMcpHandler(waybill.attach(build) as never));
    });
    const names: string[] = [];
    for (const at of [0, 0, 1, 1, 0]) {
      const response = await handlers[at]!.fetch(requestOf('tools/list'));
      const { result } = await response.json();
      names.push(result.tools[0].name);
    }
    expect(names).toEqual(['alpha', 'alpha', 'beta', 'beta', 'alpha']);
  });
});

describe('an object that is passed to http()', () => {
  it('it keeps its methods and its private fields', async () => {
    class App {
      readonly #name = 'app';
      fetch = async (_request: Request): Promise<Response> => Response.json({});
      close(): string {
        return this.#name;
      }
    }
    const app = serverContext().http(new App() as never) as App;
    expect([app.close(), app instanceof App, await (await app.fetch(requestOf('tools/list'))).json()]).toEqual(['app', true, {}]);
  });
});

describe('a part that provides a member of any name', () => {
  it('the member is found under its name', async () => {
    const build = (): object => {
      const server = new McpServer({ name: 'test', version: '1' });
      server.registerTool('a', { inputSchema: z.object({}) }, (_args, ctx) => ({
        content: [{ type: 'text', text: String((contextOf(ctx) as any).face) }],
      }));
      return server;
    };
    const parts = [{ name: 'mine', provides: { face: () => 'mine' } }];
    const { answer } = await ask({ parts }, build, 'tools/call', { params: { name: 'a', arguments: {} } });
    expect((await answer()).result.content[0].text).toBe('mine');
  });
});

describe('the ticket in `_meta`', () => {
  it('a log shows nothing of the request, and no credentials', async () => {
    const shown: string[] = [];
    const build = (): object => {
      const server = new McpServer({ name: 'test', version: '1' });
      server.registerTool('logs', { inputSchema: z.object({}) }, (_args, ctx) => {
        shown.push(inspect(ctx.mcpReq._meta, { depth: 9, showHidden: true }));
        return { content: [] };
      });
      return server;
    };
    for (const meta of [{}, { [ACCEPT_LANGUAGE]: 'fr' }])
      await ask({}, build, 'tools/call', { params: { name: 'logs', arguments: {} }, meta, authorization: 'Bearer s3cret' });
    expect(shown).toHaveLength(2);
    expect(shown.join()).not.toContain('s3cret');
  });

  it('a clone of _meta has nothing in its place, whatever else is in there', async () => {
    const build = (): object => {
      const server = new McpServer({ name: 'test', version: '1' });
      server.registerTool('clones', { inputSchema: z.object({}) }, (_args, ctx) => ({
        content: [{ type: 'text', text: JSON.stringify([structuredClone(ctx.mcpReq._meta), contextOf(ctx).language.chosen]) }],
      }));
      return server;
    };
    for (const meta of [{}, { [ACCEPT_LANGUAGE]: 'fr' }]) {
      const { answer } = await ask({ languages: ['en', 'fr'] }, build, 'tools/call', { params: { name: 'clones', arguments: {} }, meta });
      const { result } = await answer();
      const [cloned, chosen] = JSON.parse(result.content[0].text);
      expect([cloned, chosen]).toEqual([expect.objectContaining(meta), Object.keys(meta).length > 0 ? 'fr' : 'en']);
    }
  });
});
