/** Clients and servers that are careless or hostile, on one hop: nobody gets at the calls of others, and odd but valid answers arrive. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { keys } from 'waybill';
import { startGateway } from './through.js';

type Json = any;
const MODERN = '2026-07-28';
const ENVELOPE = { [keys.PROTOCOL_VERSION]: MODERN, [keys.CLIENT_CAPABILITIES]: {} };
const JSON_ONLY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A 2026 child that answers `slow` only when `go` is called, and does not care about cancellations, but tells of them. */
const CARELESS = `
  const slow = [], cancelled = [];
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const say = (id, text) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', text, pid: process.pid } }));
    if (method === 'notifications/cancelled') cancelled.push(params.requestId);
    else if (params.name === 'slow') slow.push([id, params.arguments.secret]);
    else if (params.name === 'late') setTimeout(() => say(id, params.arguments.secret), 300);
    else if (params.name === 'wait') setTimeout(() => say(id, 'mine'), 600);
    else if (params.name === 'go') { say(id, cancelled.length); for (const [id, secret] of slow.splice(0)) say(id, secret); }
  }).on('close', () => process.exit());
`;

let servers: Server[] = [];
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** An HTTP upstream that answers messages. */
const web = (answer: (message: Json, request: IncomingMessage, response: ServerResponse) => void): Promise<string> =>
  listen((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => answer(text === '' ? undefined : JSON.parse(text), request, response));
  });
const say = (response: ServerResponse, message: Json, result: object, headers = {}): void =>
  void response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { resultType: 'complete', ...result } }));

const gateways: Awaited<ReturnType<typeof startGateway>>[] = [];
async function open(upstreams: object, more: object = {}) {
  const gateway = await startGateway({ upstreams, ...more });
  gateways.push(gateway);
  return gateway;
}
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

interface Sending {
  readonly id?: Json;
  readonly meta?: object;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** A message of a 2026 client. */
async function modern(url: string, method: string, params: Json, { id = 1, meta, headers, signal }: Sending = {}) {
  const body = { jsonrpc: '2.0', ...(id !== null && { id }), method, params: { ...params, _meta: { ...ENVELOPE, ...meta } } };
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...JSON_ONLY, 'mcp-protocol-version': MODERN, 'mcp-method': method, ...(params.name && { 'mcp-name': params.name }), ...headers },
    ...(signal && { signal }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, message: text.startsWith('{') ? JSON.parse(text) : undefined };
}

/** A message of a 2025 client. */
async function legacy(url: string, method: string, params: Json, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { ...JSON_ONLY, ...headers },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, session: response.headers.get('mcp-session-id') ?? '', text };
}
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };

describe('users of one process', () => {
  let base: string;
  beforeAll(async () => {
    const careless = { command: [process.execPath, '-e', CARELESS], revision: MODERN };
    ({ base } = await open({ one: careless, leased: { ...careless, share: 'connection' } }));
  });

  test('have equal ids and tokens, and each gets its own answer', async () => {
    const call = (id: unknown, secret: string) =>
      modern(`${base}/one/mcp`, 'tools/call', { name: 'late', arguments: { secret } }, { id, meta: { [keys.PROGRESS_TOKEN]: 1 } });
    const answers = await Promise.all([call(1, 'a'), call('1', 'b'), call(1, 'c')]);
    expect(answers.map(({ message }) => [message.id, message.result.text])).toEqual([
      [1, 'a'],
      ['1', 'b'],
      [1, 'c'],
    ]);
  });

  test('cannot cancel a call by its number in the process', async () => {
    const waiting = modern(`${base}/one/mcp`, 'tools/call', { name: 'wait' });
    await Promise.all(
      Array.from({ length: 30 }, (_, requestId) =>
        modern(`${base}/one/mcp`, 'notifications/cancelled', { requestId: requestId + 1 }, { id: null }),
      ),
    );
    const { message } = await modern(`${base}/one/mcp`, 'tools/call', { name: 'go' });
    expect(message.result.text).toBe(0);
    expect((await waiting).message.result.text).toBe('mine');
  });

  test('one after the other: the late answer to a cancelled call reaches nobody', async () => {
    const gone = new AbortController();
    const left = modern(`${base}/leased/mcp`, 'tools/call', { name: 'late', arguments: { secret: 'theirs' } }, { signal: gone.signal });
    setTimeout(() => gone.abort(), 150);
    await expect(left).rejects.toThrow();
    const { message } = await modern(`${base}/leased/mcp`, 'tools/call', { name: 'wait' });
    expect(message.result.text).toBe('mine');
  });
});
