/**
 * Frameworks that build servers and transports themselves. fastmcp (SDK v1) hides `ctx` too: the layer instruments its copy of the SDK and
 * uses the ambient context. mcp-handler (SDK v2, both revisions) exposes its server, and is a fetch handler.
 */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { FastMCP } from 'fastmcp';
import { createMcpHandler } from 'mcp-handler';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { keys } from 'waybill';
import { contextOf, serverContext, type ServerContextOptions } from 'waybill/server';
import { httpTransport, mirrored, peerOf, type ClientKind, type Peer } from './clients.js';
import { errorOf } from './telling.js';
import type { Message } from './wire.js';
import { freePort } from '../support/freePort.mjs';

interface Served {
  readonly url: URL;
  close(): Promise<void>;
}

const OPTIONS: ServerContextOptions = { languages: ['en', 'de'], tools: { sampled: { requires: { sampling: {} } } } };
const seen = (ctx?: unknown): string => {
  const { language, environment } = contextOf(ctx as object);
  return `${language.chosen} ${environment.timezone}`;
};

async function fastmcp(): Promise<Served> {
  const waybill = serverContext({ ...OPTIONS, ambient: true });
  const path = createRequire(createRequire(import.meta.url).resolve('fastmcp'))
    .resolve('@modelcontextprotocol/sdk/server/index.js')
    .replace('/dist/cjs/', '/dist/esm/');
  const undo = waybill.instrument(((await import(path)) as { Server: { prototype: object } }).Server);
  const quiet = { debug: () => undefined, error: () => undefined, info: () => undefined, log: () => undefined, warn: () => undefined };
  const server = new FastMCP({ name: 'fast', version: '1.0.0', logger: quiet });
  server.addTool({ name: 'showContext', description: 'Tells what it sees', execute: async () => seen() });
  server.addTool({ name: 'sampled', description: 'Needs sampling', execute: async () => 'sampled' });
  const port = await freePort();
  await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1', enableJsonResponse: true } });
  const close = async (): Promise<void> => {
    await server.stop();
    undo();
  };
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), close };
}

async function mcpHandler(): Promise<Served> {
  const waybill = serverContext(OPTIONS);
  const handler = createMcpHandler((server) => {
    const answer = (text: string): any => ({ content: [{ type: 'text', text }] });
    server.registerTool('showContext', { inputSchema: z.object({}) }, async (_args, ctx) => answer(seen(ctx)));
    server.registerTool('sampled', { inputSchema: z.object({}) }, async () => answer('sampled'));
    waybill.attach(server);
  });
  // The handler reads the request itself.
  const fetch = waybill.http(handler, { rebuild: true });
  const http = createServer(toNodeHandler({ fetch }) as never);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => http.close(resolve));
    http.closeAllConnections();
    await closed;
  };
  return { url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`), close };
}

describe.each([
  ['fastmcp', 'v1', fastmcp],
  ['fastmcp', 'v2-modern', fastmcp],
  ['mcp-handler', 'v1', mcpHandler],
  ['mcp-handler', 'v2-modern', mcpHandler],
] as const)('%s, %s client', (_, kind: ClientKind, start) => {
  let served: Served;
  let client: Peer;
  /** The header lines of the client's last call, for requests that the client would not make. */
  let headers = new Headers();
  const listening: typeof fetch = (url, init) => {
    if (init?.method === 'POST') headers = new Headers(init.headers);
    return fetch(url, init);
  };
  beforeAll(async () => {
    served = await start();
    client = peerOf(kind);
    await client.connect(httpTransport(kind, served.url, mirrored(listening)), { timeout: 10_000 });
  });
  afterAll(async () => {
    await client.close();
    await served.close();
  });

  const call = (name: string, _meta: Message = {}): Promise<Message> => client.callTool({ name, arguments: {}, _meta });
  const post = async (meta: Message, lines: Message, beside: Message = {}): Promise<[Response, any]> => {
    await call('showContext');
    const envelope = { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {} };
    const params = { name: 'showContext', arguments: {}, _meta: client.era() === 'modern' ? { ...envelope, ...meta } : meta };
    const body = { jsonrpc: '2.0', id: 'x', method: 'tools/call', params, ...beside };
    const response = await fetch(served.url, {
      method: 'POST',
      headers: { ...Object.fromEntries(headers), ...lines },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return [response, JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text)];
  };

  test('CTX-07, LANG-20: a tool sees the context of its call, and the answer names its language', async () => {
    const result = await call('showContext', { [keys.ACCEPT_LANGUAGE]: 'de-AT', [keys.CLIENT_CONTEXT]: { timezone: 'Asia/Tokyo' } });
    expect([result['content'][0].text, result['_meta'][keys.CONTENT_LANGUAGE]]).toEqual(['de Asia/Tokyo', 'de']);
    expect((await call('showContext'))['content'][0].text).toBe('en UTC');
    expect(client.sdk.getServerCapabilities().extensions[keys.EXTENSION_ID]).toMatchObject({ lifts: true });
  });

  test('CAP-15: a call without a needed capability is refused, and the list shows what the tool needs', async () => {
    expect(await call('sampled').catch(errorOf)).toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: {} } } });
    const sampled = (await client.allTools()).find(({ name }) => name === 'sampled');
    expect(sampled?.['_meta'][keys.REQUIRED_CAPABILITIES]).toEqual({ sampling: {} });
  });

  test('LANG-46, LANG-62: the edge refuses a language mismatch with 400, and its answers vary by the language', async () => {
    const [refused, { error }] = await post({ [keys.ACCEPT_LANGUAGE]: 'de' }, { 'accept-language': 'fr' });
    expect([refused.status, error.code, error.data.metaValue]).toEqual([400, -32020, 'de']);
    const [answered, { result }] = await post({ [keys.ACCEPT_LANGUAGE]: 'de' }, { 'accept-language': 'de' });
    expect([answered.status, result.content[0].text]).toEqual([200, 'de UTC']);
    expect(answered.headers.get('vary')).toMatch(/accept-language/i);
    const isJson = answered.headers.get('content-type')?.startsWith('application/json');
    expect(answered.headers.get('content-language')).toBe(isJson ? 'de' : null);
  });

  test('CTX-21: the literal member beside params is moved into _meta', async () => {
    const [, { result }] = await post({}, {}, { clientContext: { timezone: 'Asia/Tokyo' } });
    expect(result.content[0].text).toBe('en Asia/Tokyo');
  });
});
