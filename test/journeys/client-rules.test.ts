/** Rules that need both ends: headers, caches, arguments, and the older revision. */
import { inputRequired, createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { keys } from 'waybill';
import { clientContext, type ClientContext, type ClientContextOptions } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import { contextOf, serverContext } from 'waybill/server';
import { rig } from '../support/client-rig.js';
import { serveShop, type Served } from '../state/servers.js';
import { httpTransport, peerOf, type ClientKind, type Peer } from './clients.js';
import { errorOf } from './telling.js';
import type { Message } from './wire.js';

const KEPT = { ttlMs: 60_000, cacheScope: 'private' as const };
const METHODS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'resources/read', 'server/discover'];
const FORM = { message: 'Go on?', requestedSchema: { type: 'object' as const, properties: { ok: { type: 'boolean' as const } } } };

function build(): McpServer {
  const server = new McpServer(
    { name: 'rules', version: '1.0.0' },
    { cacheHints: Object.fromEntries(METHODS.map((method) => [method, KEPT])) },
  );
  const seen = (ctx: unknown): Message => {
    const { language, environment } = contextOf(ctx as object);
    return { language: language.chosen, timezone: environment.timezone };
  };
  server.registerTool('showContext', { inputSchema: z.looseObject({ city: z.string() }) }, async (args, ctx) => ({
    content: [{ type: 'text', text: JSON.stringify({ args, seen: seen(ctx) }) }],
  }));
  server.registerPrompt('grüße', {}, () => ({ messages: [] }));
  for (const name of ['one', 'two'])
    server.registerResource(name, `doc://${name}`, {}, (uri, ctx) => ({
      contents: [{ uri: uri.href, text: JSON.stringify([name, seen(ctx)]) }],
    }));
  server.registerResource('asks', 'doc://asks', {}, async (uri, ctx) =>
    ctx.mcpReq.inputResponses === undefined
      ? inputRequired({ inputRequests: { ok: inputRequired.elicit(FORM) } })
      : { contents: [{ uri: uri.href, text: 'answered' }] },
  );
  return server;
}

interface Visit {
  readonly waybill: ClientContext;
  readonly peer: Peer;
  /** Every POST with its headers and its body. */
  readonly posts: { headers: Headers; body: Message }[];
  /** Counts the requests of a method, for a URI or for all. */
  went(method: string, uri?: string): number;
}

async function visit(kind: ClientKind, options: ClientContextOptions, act: (visit: Visit) => Promise<void>): Promise<void> {
  const layer = serverContext({ languages: ['en', 'fr', 'de'] });
  const handler = layer.http(createMcpHandler(layer.attach(build), { keepAliveMs: 0 }));
  const posts: Visit['posts'] = [];
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> => {
    if (init?.method === 'POST') posts.push({ headers: new Headers(init.headers), body: JSON.parse(init.body as string) as Message });
    return handler.fetch(new Request(url, init));
  };
  const waybill = clientContext(options);
  const peer = peerOf(kind, kind === 'v1' ? {} : waybill.clientOptions({ capabilities: { elicitation: { form: {} } } }));
  peer.onElicit(() => ({ action: 'accept', content: { ok: true } }));
  await peer.connect(waybill.attach(httpTransport(kind, new URL('http://127.0.0.1/mcp'), fetch)));
  const went = (method: string, uri?: string): number =>
    posts.filter(({ body }) => body['method'] === method && (uri === undefined || body['params'].uri === uri)).length;
  try {
    await act({ waybill, peer, posts, went });
  } finally {
    await peer.close();
  }
}

const EVERYTHING: ClientContextOptions = {
  language: 'fr-CH, fr;q=0.9',
  environment: { timezone: 'Europe/Zurich', locale: 'fr-CH', location: { country: 'CH' } },
  environmentEverywhere: true,
  trace: 'start',
};

test('BASE-07: version, method and name in the headers of each POST equal the body, whatever the layer adds', () =>
  visit('v2-modern', EVERYTHING, async ({ peer, posts }) => {
    await peer.allTools();
    await peer.callTool({ name: 'showContext', arguments: { city: 'Bern' } });
    await peer.request('prompts/get', { name: 'grüße' });
    await peer.request('resources/read', { uri: 'doc://one' });
    await peer.sdk.complete({ ref: { type: 'ref/prompt', name: 'grüße' }, argument: { name: 'x', value: '' } }).catch(() => undefined);
    expect(posts.map(({ body }) => body['method'])).toEqual(
      expect.arrayContaining(['server/discover', 'tools/list', 'tools/call', 'prompts/get', 'resources/read']),
    );
    const decoded = (value: string | null): string | undefined => {
      const encoded = /^=\?base64\?(.*)\?=$/.exec(value ?? '')?.[1];
      return encoded === undefined ? (value ?? undefined) : Buffer.from(encoded, 'base64').toString('utf8');
    };
    for (const { headers, body } of posts) {
      const { method, params } = body as { method: string; params: Message };
      const named = ['tools/call', 'prompts/get', 'resources/read'].includes(method);
      expect([headers.get('mcp-protocol-version'), headers.get('mcp-method'), decoded(headers.get('mcp-name'))]).toEqual([
        params['_meta'][keys.PROTOCOL_VERSION],
        method,
        named ? (params['name'] ?? params['uri']) : undefined,
      ]);
      expect(params['_meta']).toHaveProperty([keys.CLIENT_CONTEXT]);
    }
  }));

test('BASE-11: a cached result serves the same method and params only; the answer to a retry is not cached', () =>
  visit('v2-modern', { language: 'fr' }, async ({ peer: { sdk }, waybill, went }) => {
    const read = async (name: string): Promise<any> => JSON.parse((await sdk.readResource({ uri: `doc://${name}` })).contents[0].text);
    for (let twice = 0; twice < 2; twice++) {
      expect([(await read('one'))[0], (await read('two'))[0]]).toEqual(['one', 'two']);
      await sdk.listTools();
      await sdk.listPrompts();
      await sdk.listResources();
    }
    expect([went('resources/read', 'doc://one'), went('resources/read', 'doc://two')]).toEqual([1, 1]);
    expect(['tools/list', 'prompts/list', 'resources/list'].map((method) => went(method))).toEqual([1, 1, 1]);
    // LANG-60: the language affects the result.
    expect((await waybill.run({ language: 'de' }, () => read('one')))[1].language).toBe('de');
    expect((await read('one'))[1].language).toBe('fr');
    expect(went('resources/read', 'doc://one')).toBe(2);
    for (let twice = 1; twice <= 2; twice++) {
      expect((await sdk.readResource({ uri: 'doc://asks' })).contents[0].text).toBe('answered');
      expect(went('resources/read', 'doc://asks')).toBe(2 * twice);
    }
  }));

test('CTX-32: a result that may depend on the environment is not cached: the next request has another', () =>
  visit('v2-modern', { ...EVERYTHING, language: null }, async ({ peer: { sdk }, waybill, went }) => {
    const read = async (): Promise<string> => JSON.parse((await sdk.readResource({ uri: 'doc://one' })).contents[0].text)[1].timezone;
    for (const timezone of ['Asia/Tokyo', 'UTC', 'Asia/Tokyo'])
      expect(await waybill.run({ environment: { timezone } }, read)).toBe(timezone);
    expect(went('resources/read')).toBe(3);
  }));

describe('LANG-27: the client half decides by an error’s code, never by its message', () => {
  const MISSING = { requiredCapabilities: { sampling: {} } };
  it.each([
    [-32021, 'Missing required client capability', true],
    [-32021, '缺少必需的客户端能力', true],
    [-32021, '', true],
    [7, 'Missing required client capability', false],
    [-32602, 'Missing required client capability: -32021', false],
  ])('%d %j', async (code, message, stale) => {
    const { ask, delivered } = rig({}, () => ({ error: { code, message, data: MISSING } }));
    expect((await ask('tools/call', { name: 'x' }))['error']).toMatchObject({ code, message });
    expect(delivered.some(({ method }) => method === 'notifications/tools/list_changed')).toBe(stale);
  });
});

describe.each(['v1', 'v2-legacy', 'v2-modern'] as const)('%s client', (kind) => {
  test('CTX-15: context is beside the arguments, never among them, and nothing a model writes there becomes context', () =>
    visit(kind, EVERYTHING, async ({ peer, posts }) => {
      const guessed = { timezone: 'Mars/Olympus', acceptLanguage: 'de', clientContext: { timezone: 'Asia/Tokyo' } };
      for (const args of [{ city: 'Bern' }, { city: 'Bern', ...guessed, _meta: { [keys.ACCEPT_LANGUAGE]: 'de' } }]) {
        const result = await peer.callTool({ name: 'showContext', arguments: args });
        expect(JSON.parse(result['content'][0].text)).toEqual({ args, seen: { language: 'fr', timezone: 'Europe/Zurich' } });
        expect(posts.at(-1)!.body['params'].arguments).toEqual(args);
      }
      const [tool] = await peer.allTools();
      expect(Object.keys(tool!['inputSchema'].properties)).toEqual(['city']);
    }));
});

describe.each(['v1', 'v2-legacy', 'v2-modern'] as const)('%s client on a 2025-11-25 connection', (kind) => {
  let served: Served;
  beforeAll(async () => {
    served = await serveShop('--sdk', 'v1');
  });
  afterAll(() => served.kill());

  test('IX-19: capabilities are those of initialize, results have no new members, and the other concerns use _meta', async () => {
    const bodies: Message[] = [];
    const answers: string[] = [];
    const recording = async (url: string | URL, init?: RequestInit): Promise<Response> => {
      const response = await fetch(url, init);
      if (init?.method !== 'POST') return response;
      bodies.push(JSON.parse(init.body as string) as Message);
      answers.push(await response.clone().text());
      return response;
    };
    const waybill = clientContext({ ...EVERYTHING, environmentEverywhere: false, state: jar({ allowHosts: ['127.0.0.1'] }) });
    const client = peerOf(kind, { capabilities: { elicitation: { form: {} } } });
    await client.connect(waybill.attach(httpTransport(kind, served.url, recording)));
    try {
      expect(client.era()).toBe('legacy');
      const data = async (name: string, args: Message = {}): Promise<any> =>
        (await client.callTool({ name, arguments: args }))['structuredContent'];
      expect(await data('needs_form')).toEqual({ can: true });
      expect(await client.callTool({ name: 'needs_sampling_tools', arguments: {} }).catch(errorOf)).toMatchObject({ code: -32021 });
      expect(await data('set_state', { scope: 'session', name: 'n', value: 7 })).toEqual({ set: true });
      const seen = await data('context');
      expect(seen).toMatchObject({
        language: { chosen: 'fr' },
        environment: { timezone: 'Europe/Zurich' },
        state: { session: { n: 7 } },
        capabilities: { elicitation: { form: {} } },
      });
      expect(seen.trace.parent.traceparent).toMatch(/^00-/);
      await client.allTools();

      // The reserved keys of the new revision are not sent on a connection of the old one.
      const initialized = bodies.findIndex(({ method }) => method === 'initialize');
      for (const { params } of bodies.slice(initialized)) {
        expect(params?._meta ?? {}).not.toHaveProperty([keys.PROTOCOL_VERSION]);
        expect(params?._meta ?? {}).not.toHaveProperty([keys.CLIENT_CAPABILITIES]);
      }
      expect(answers.slice(initialized).join('\n')).not.toMatch(/"(resultType|ttlMs|cacheScope)"/);
    } finally {
      await client.close();
    }
  });
});
