/** A call is sent a second time only where the upstream said that it has not begun: session 404 (hop.test.ts), -32020, -32022. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keys } from 'waybill';
import { startGateway } from './through.js';

type Json = any;
const MODERN = '2026-07-28';

/** A server that changes: the header that its tool wants, and the revision that it speaks. */
const served = { header: 'Zone', isModern: true };
let seen: { method: string; headers: Json }[];
let now: number;
let upstream: Server;
let gateway: Awaited<ReturnType<typeof startGateway>>;

function answerOf({ method, id, params }: Json, headers: Json): [status: number, body: Json] {
  const error = (code: number, data = {}): [number, Json] => [400, { jsonrpc: '2.0', id, error: { code, message: 'no', data } }];
  const result = (value: object): [number, Json] => [200, { jsonrpc: '2.0', id, result: value }];
  const isModern = params?._meta?.[keys.PROTOCOL_VERSION] === MODERN;
  if (isModern !== served.isModern) return error(-32022, { supported: [served.isModern ? MODERN : '2025-11-25'] });
  const zone = { type: 'string', 'x-mcp-header': served.header };
  if (method === 'server/discover') return result({ supportedVersions: [MODERN], capabilities: { tools: {} }, resultType: 'complete' });
  if (method === 'initialize')
    return result({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/list')
    return result({ resultType: 'complete', tools: [{ name: 'time', inputSchema: { type: 'object', properties: { zone } } }] });
  const wanted = headers[`mcp-param-${served.header.toLowerCase()}`];
  return isModern && wanted !== params.arguments.zone ? error(-32020) : result({ content: [{ type: 'text', text: 'noon' }] });
}

beforeEach(async () => {
  Object.assign(served, { header: 'Zone', isModern: true });
  [seen, now] = [[], 1_000_000];
  upstream = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const message = JSON.parse(text);
      seen.push({ method: message.method, headers: request.headers });
      if (message.id === undefined) return void response.writeHead(202).end();
      const [status, body] = answerOf(message, request.headers);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`;
  const environment = { fill: { time: { zone: { from: 'timezone', hide: true } } } };
  gateway = await startGateway({ upstreams: { plain: { url }, filled: { url, environment } } }, { now: () => now });
});
afterEach(async () => {
  await gateway.close();
  upstream.closeAllConnections();
  upstream.close();
});

async function post(path: string, method: string, params: Json, headers: Json = {}) {
  const response = await fetch(`${gateway.base}/${path}/mcp`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  });
  const text = await response.text();
  return { status: response.status, session: response.headers.get('mcp-session-id') ?? '', text };
}

function modern(path: string, args: object, headers: Json = {}) {
  const context = { timezone: 'Asia/Tokyo' };
  const _meta = { [keys.PROTOCOL_VERSION]: MODERN, [keys.CLIENT_CAPABILITIES]: {}, [keys.CLIENT_CONTEXT]: context };
  const mirrored = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'time' };
  return post(path, 'tools/call', { name: 'time', arguments: args, _meta }, { ...mirrored, ...headers });
}

async function legacy() {
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const { session } = await post('plain', 'initialize', initialize);
  return () => post('plain', 'tools/call', { name: 'time', arguments: { zone: 'Asia/Tokyo' } }, { 'mcp-session-id': session });
}

const methods = (): string[] => seen.splice(0).map(({ method }) => method);
const NOON = [200, expect.stringContaining('noon')];

test('-32020: an argument that was filled in before the tools were ever listed is sent with its header the second time', async () => {
  const { status, text } = await modern('filled', {});
  expect([status, text]).toEqual(NOON);
  expect(methods()).toEqual(['server/discover', 'tools/call', 'tools/list', 'tools/call']);
  served.header = 'Place';
  expect((await modern('filled', {})).status).toBe(200);
  expect(methods()).toEqual(['tools/call', 'tools/list', 'tools/call']);
  expect((await modern('filled', {})).status).toBe(200);
  expect(methods()).toEqual(['tools/call']);
});

test('-32020: a wrong header of the client itself is its own to mend', async () => {
  const { status, text } = await modern('plain', { zone: 'Asia/Tokyo' }, { 'mcp-param-zone': 'Europe/Vienna' });
  expect([status, JSON.parse(text).error.code]).toEqual([400, -32020]);
  expect(methods()).toEqual(['server/discover', 'tools/call']);
});

test('-32020, L→M: the tools are listed again, and the call is sent once more', async () => {
  const call = await legacy();
  expect((await call()).status).toBe(200);
  served.header = 'Place';
  methods();
  const { status, text } = await call();
  expect([status, text]).toEqual(NOON);
  expect(methods()).toEqual(['tools/call', 'tools/list', 'tools/call']);
});

test('-32022: the upstream is probed again, and the call goes up in the other revision', async () => {
  expect((await modern('plain', { zone: 'Asia/Tokyo' }, { 'mcp-param-zone': 'Asia/Tokyo' })).status).toBe(200);
  Object.assign(served, { isModern: false });
  [now] = [now + 60_000];
  methods();
  expect((await modern('plain', { zone: 'Asia/Tokyo' }, { 'mcp-param-zone': 'Asia/Tokyo' })).status).toBe(200);
  expect(methods()).toEqual(['tools/call', 'server/discover', 'initialize', 'notifications/initialized', 'tools/call']);
  // And back: the server refuses the session.
  Object.assign(served, { isModern: true });
  [now] = [now + 60_000];
  expect((await modern('plain', { zone: 'Asia/Tokyo' }, { 'mcp-param-zone': 'Asia/Tokyo' })).status).toBe(400);
});

test('-32022, L→M: the client has to begin again, and then finds the other revision', async () => {
  const call = await legacy();
  expect((await call()).status).toBe(200);
  Object.assign(served, { isModern: false });
  [now] = [now + 60_000];
  expect((await call()).status).toBe(404);
  const again = await legacy();
  expect((await again()).status).toBe(200);
});

test('-32022: a server that refuses every revision is not probed for each request', async () => {
  await modern('plain', { zone: 'a' }, { 'mcp-param-zone': 'a' });
  Object.assign(served, { isModern: false });
  methods();
  const { status, text } = await modern('plain', { zone: 'a' }, { 'mcp-param-zone': 'a' });
  expect([status, JSON.parse(text).error.code]).toEqual([400, -32022]);
  expect(methods()).toEqual(['tools/call']);
});
