/** The hop itself on a 2025 server: second sends, resumption, credentials, streams, shared processes, and the handler for embedding. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from 'waybill';
import { startGateway } from './through.js';

type Json = any;
const ACCEPT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const seen: { method: string; message: Json; headers: IncomingMessage['headers'] }[] = [];
const calls = (): number => seen.filter(({ message }) => message?.method === 'tools/call').length;
/** The sessions that the upstream still knows. */
const sessions = new Set<string>();

function answer(request: IncomingMessage, response: ServerResponse, message: Json): void {
  const json = (body: object, headers = {}): void =>
    void response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body }));
  const name = message?.params?.name;
  if (request.method === 'GET')
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: e8\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n');
  else if (message.method === 'initialize') {
    const session = `session-${sessions.size}-${seen.length}`;
    sessions.add(session);
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
    json({ result }, { 'mcp-session-id': session });
  } else if (message.id === undefined) response.writeHead(202).end();
  else if (!sessions.has(String(request.headers['mcp-session-id']))) response.writeHead(404).end();
  else if (name === 'dies') response.destroy();
  else if (name === 'streams')
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(`: still here\n\nretry: 50\n\nid: e1\ndata: {"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"content":[]}}\n\n`);
  else json({ result: { content: [{ type: 'text', text: 'done' }] } });
}

const upstream = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => (text += String(chunk)));
  request.on('end', () => {
    const message = text === '' ? undefined : JSON.parse(text);
    seen.push({ method: request.method ?? '', message, headers: request.headers });
    answer(request, response, message);
  });
});

/** A 2025 child that asks back when a tool is called, and tells what it was answered, and what was declared to it. */
const ASKS = `
  let declared, call;
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params, error, result } = JSON.parse(line);
    const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
    if (method === 'initialize') {
      declared = params.capabilities;
      say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
    } else if (method === 'tools/call') { call = id; say({ id: 'q', method: 'elicitation/create', params: { message: '?' } }); }
    else if (id === 'q') say({ id: call, result: { content: [], declared, code: error?.code ?? null } });
  }).on('close', () => process.exit());
`;

let gateway: Awaited<ReturnType<typeof startGateway>>;
let single: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`;
  const asks = { command: [process.execPath, '-e', ASKS], revision: '2025-11-25' };
  const web = { url, revision: '2025-11-25' };
  gateway = await startGateway({
    feed: 'bodies',
    upstreams: {
      web,
      ruled: { ...web, state: { mode: 'off' } },
      passing: { ...web, credentials: 'pass' },
      fixed: { ...web, credentials: { Authorization: 'Bearer ours' } },
      one: { ...asks, share: 'one' },
    },
  });
  single = await startGateway({ identity: { single: true }, upstreams: { principal: { ...asks, share: 'principal' } } });
});
afterAll(async () => {
  await gateway.close();
  await single.close();
  upstream.closeAllConnections();
  upstream.close();
});

const request = (method: string, params: object = {}): string => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
const opening = (capabilities: object = {}): string =>
  request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'c', version: '1' } });

async function send(path: string, body: string, headers: Record<string, string> = {}, base = gateway.base) {
  const response = await fetch(base + path, { method: 'POST', body, headers: { ...ACCEPT, ...headers } });
  return { status: response.status, session: response.headers.get('mcp-session-id') ?? '', text: await response.text() };
}

/** A 2026 client's call. */
function modern(name: string) {
  const _meta = { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {} };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
  return send('/web/mcp', request('tools/call', { name, _meta }), headers);
}

test('M→L: a call is sent a second time after a session that the server forgot, and after no other fault', async () => {
  expect((await modern('fine')).status).toBe(200);
  expect(calls()).toBe(1);
  sessions.clear();
  const again = await modern('fine');
  expect([again.status, calls()]).toEqual([200, 3]);
  expect((await modern('dies')).status).toBe(502);
  expect(calls()).toBe(4);
});

test('L→L: the 404 of a forgotten session reaches the client, which decides itself', async () => {
  const before = calls();
  const { session } = await send('/web/mcp', opening());
  sessions.clear();
  expect((await send('/web/mcp', request('tools/call', { name: 'fine' }), { 'mcp-session-id': session })).status).toBe(404);
  expect(calls()).toBe(before + 1);
  // An id that the gateway never gave out names nothing, so nothing is asked.
  expect((await send('/web/mcp', request('tools/call', { name: 'fine' }), { 'mcp-session-id': 'nobody' })).status).toBe(404);
  expect(calls()).toBe(before + 1);
});

test('L→L: Last-Event-ID reaches the server, and the ids of its events the client', async () => {
  const { session } = await send('/web/mcp', opening());
  const response = await fetch(`${gateway.base}/web/mcp`, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': session, 'last-event-id': 'e7' },
  });
  expect(await response.text()).toContain('id: e8');
  expect(seen.at(-1)).toMatchObject({ method: 'GET', headers: { 'last-event-id': 'e7' } });
});

test('comments, retry and event ids of a stream survive a rule that reads it', async () => {
  const { session } = await send('/ruled/mcp', opening());
  const { text } = await send('/ruled/mcp', request('tools/call', { name: 'streams' }), { 'mcp-session-id': session });
  expect(text).toMatch(/^: still here\n\nretry: 50\n\nevent: message\nid: e1\ndata: \{.*"id":7.*\}\n\n$/);
});

test("the client's Authorization goes upstream under `pass` only; fixed credentials replace it", async () => {
  const sent = [];
  for (const path of ['/web/mcp', '/passing/mcp', '/fixed/mcp']) {
    await send(path, opening(), { authorization: 'Bearer mine' });
    sent.push(seen.at(-1)?.headers.authorization);
  }
  expect(sent).toEqual([undefined, 'Bearer mine', 'Bearer ours']);
});

test('the handler of the fetch kind answers with JSON and with a stream', async () => {
  const post = (body: string, headers = {}): Promise<Response> =>
    gateway.fetch(new Request('http://127.0.0.1/ruled/mcp', { method: 'POST', body, headers: { ...ACCEPT, ...headers } }));
  const opened = await post(opening());
  expect((await opened.json()).result.serverInfo.name).toBe('s');
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const streamed = await post(request('tools/call', { name: 'streams' }), session);
  expect([streamed.headers.get('content-type'), await streamed.text()]).toEqual(['text/event-stream', expect.stringContaining('"id":7')]);
  expect((await post('{', session)).status).toBe(400);
});

test('the feed tells bodies only if it is asked to', async () => {
  const records: Json[] = [];
  const stops = [gateway.onExchange((one) => records.push(one)), single.onExchange((one) => records.push(one))];
  await send('/web/mcp', opening());
  await send('/principal/mcp', opening(), {}, single.base);
  for (const stop of stops) stop();
  expect(records).toMatchObject([{ upstream: 'web', method: 'initialize', status: 200, request: opening() }, { upstream: 'principal' }]);
  expect(records[1]).not.toHaveProperty('request');
});

test('share one: a 2025 server is told of no capability, and its own request gets -32601', async () => {
  const { session } = await send('/one/mcp', opening({ elicitation: {} }));
  const { text } = await send('/one/mcp', request('tools/call', { name: 'a' }), { 'mcp-session-id': session });
  expect(text).toContain('"declared":{},"code":-32601');
  await send('/one/mcp', opening());
  expect(gateway.children('one')).toEqual({ running: 1, starts: 1 });
});

test('share principal: sessions of one user share a process if they declare the same', async () => {
  const before = single.children('principal').starts;
  await send('/principal/mcp', opening({ roots: {} }), {}, single.base);
  await send('/principal/mcp', opening({ roots: {} }), {}, single.base);
  expect(single.children('principal').starts).toBe(before + 1);
  await send('/principal/mcp', opening({ sampling: {} }), {}, single.base);
  expect(single.children('principal').starts).toBe(before + 2);
});
