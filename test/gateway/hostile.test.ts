/** Clients and servers that are careless or hostile, on one hop: nobody gets at the calls of others, and odd but valid answers arrive. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { startGateway } from './through.js';
import { eventually } from '../support/eventually.js';

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
    headers: {
      ...JSON_ONLY,
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(params.name && { 'mcp-name': params.name }),
      ...headers,
    },
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

describe('an upstream that wants a token', () => {
  const METADATA = 'https://gw.example/.well-known/oauth-protected-resource';
  /** It lets `Bearer good` in, with the answers of a server of this revision, and refuses as the middleware of the SDK does. */
  const guarded = (revision: string): Promise<string> =>
    web((message, request, response) => {
      if (request.headers.authorization !== 'Bearer good')
        response
          .writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Bearer resource_metadata="https://theirs.example"' })
          .end('{"error":"invalid_token","error_description":"expired"}');
      else if (message.id === undefined) response.writeHead(202).end();
      else if (message.method === 'initialize')
        say(response, message, { ...INITIALIZE, serverInfo: INITIALIZE.clientInfo }, { 'mcp-session-id': 's' });
      else say(response, message, { supportedVersions: [revision], content: [] });
    });
  const upstream = async (revision: string) => ({ url: await guarded(revision), revision, credentials: 'pass', metadata: METADATA });
  const challenge = [401, `Bearer resource_metadata="${METADATA}"`];
  const told = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get('www-authenticate')];
  let base: string;
  beforeAll(async () => {
    ({ base } = await open({ old: await upstream('2025-11-25'), new: await upstream(MODERN) }));
  });

  test.each(['old', 'new'])('%s: a 2026 client gets the 401 and where to get a token', async (name) => {
    expect(told(await modern(`${base}/${name}/mcp`, 'tools/call', { name: 'a' }))).toEqual(challenge);
    const good = { headers: { authorization: 'Bearer good' } };
    expect((await modern(`${base}/${name}/mcp`, 'tools/call', { name: 'a' }, good)).status).toBe(200);
  });

  test.each(['old', 'new'])('%s: so does a 2025 client, also when its token expires in the middle of a session', async (name) => {
    const url = `${base}/${name}/mcp`;
    expect(told(await legacy(url, 'initialize', INITIALIZE))).toEqual(challenge);
    const { status, session } = await legacy(url, 'initialize', INITIALIZE, { authorization: 'Bearer good' });
    expect(status).toBe(200);
    const expired = { authorization: 'Bearer old', 'mcp-session-id': session };
    expect(told(await legacy(url, 'tools/call', { name: 'a' }, expired))).toEqual(challenge);
  });
});

test.each([
  ['bytes pass', {}],
  ['a rule reads them', { state: { mode: 'off' } }],
])('an answer that is compressed without being asked for is understood: %s', async (_, rules) => {
  const url = await web((message, _request, response) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { resultType: 'complete', content: [] } });
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync(text));
  });
  const { base } = await open({ s: { url, revision: MODERN, ...rules } });
  const { status, message } = await modern(`${base}/s/mcp`, 'tools/call', { name: 'a' });
  expect([status, message]).toEqual([200, { jsonrpc: '2.0', id: 1, result: { resultType: 'complete', content: [] } }]);
});

test('a value that no header can carry does not break the call', async () => {
  const seen: Json[] = [];
  const url = await web((message, { headers }, response) => {
    seen.push([headers['accept-language'], headers['traceparent'], headers['baggage']]);
    say(response, message, {});
  });
  const gateway = await open({ s: { url, revision: MODERN, trace: { mode: 'join' } } });
  const meta = {
    [keys.ACCEPT_LANGUAGE]: 'de\n',
    [keys.TRACEPARENT]: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    [keys.BAGGAGE]: 'a=\u4e00',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', _meta: { ...ENVELOPE, ...meta } } });
  const headers = { ...JSON_ONLY, 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'a' };
  // The handler of the fetch kind: a sent fetch adds an Accept-Language of its own.
  expect((await gateway.fetch(new Request('http://127.0.0.1/s/mcp', { method: 'POST', headers, body }))).status).toBe(200);
  expect(seen).toEqual([[undefined, meta[keys.TRACEPARENT], undefined]]);
});

describe('a list that is kept', () => {
  test.each(['a subscription', 'the stream of a session', 'the stream of a call'])(
    'is asked for again after a change told on %s',
    async (how) => {
      let version = 0;
      const changed = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';
      const streams = new Set<ServerResponse>();
      const url = await web((message, request, response) => {
        const isStream = request.method === 'GET' || message?.method === 'subscriptions/listen';
        if (isStream) {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
          streams.add(response);
        } else if (message.id === undefined) response.writeHead(202).end();
        else if (message.method === 'initialize')
          say(
            response,
            message,
            { ...INITIALIZE, capabilities: { tools: {} }, serverInfo: INITIALIZE.clientInfo },
            { 'mcp-session-id': 's' },
          );
        else if (message.method === 'tools/list')
          say(response, message, { tools: [{ name: `tool ${version}`, inputSchema: {} }], ttlMs: 60_000, cacheScope: 'public' });
        else {
          version++;
          const isOnCall = how === 'the stream of a call';
          for (const stream of streams) stream.write(changed);
          const result = `{"jsonrpc":"2.0","id":${message.id},"result":{"resultType":"complete","content":[]}}`;
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${isOnCall ? changed : ''}data: ${result}\n\n`);
        }
      });
      const isLegacy = how === 'the stream of a session';
      const { base } = await open({ s: { url, revision: isLegacy ? '2025-11-25' : MODERN, tools: {} } });
      const at = `${base}/s/mcp`;
      const gone = new AbortController();
      let headers: Record<string, string> = {};
      if (isLegacy) headers = { 'mcp-session-id': (await legacy(at, 'initialize', INITIALIZE)).session };
      const ask = async (method: string, params: object) =>
        (isLegacy ? await legacy(at, method, params, headers) : await modern(at, method, params)).text;
      if (isLegacy)
        void fetch(at, { headers: { ...headers, accept: 'text/event-stream' }, signal: gone.signal }).then(drain, () => undefined);
      else if (how === 'a subscription')
        modern(at, 'subscriptions/listen', { notifications: { toolsListChanged: true } }, { signal: gone.signal }).catch(() => undefined);
      await eventually(() => expect(how === 'the stream of a call' || streams.size === 1).toBe(true));
      expect(await ask('tools/list', {})).toContain('tool 0');
      await ask('tools/call', { name: 'change' });
      await eventually(async () => expect(await ask('tools/list', {})).toContain('tool 1'));
      gone.abort();
    },
  );
});
const drain = async (response: Response): Promise<void> => void (await response.text().catch(() => ''));

test('calls that find their session forgotten at the same time begin one new session, and none is left over', async () => {
  const sessions = new Set<string>();
  let count = 0;
  const url = await web((message, request, response) => {
    const session = String(request.headers['mcp-session-id']);
    if (request.method === 'GET') response.writeHead(405).end();
    else if (message?.method === 'initialize') {
      sessions.add(`session ${++count}`);
      say(response, message, { ...INITIALIZE, serverInfo: INITIALIZE.clientInfo }, { 'mcp-session-id': `session ${count}` });
    } else if (message?.id === undefined) response.writeHead(202).end();
    else if (!sessions.has(session)) setTimeout(() => response.writeHead(404).end(), 20);
    else say(response, message, { content: [] });
  });
  const { base } = await open({ s: { url, revision: '2025-11-25' } });
  const call = () => modern(`${base}/s/mcp`, 'tools/call', { name: 'a' });
  expect((await call()).status).toBe(200);
  sessions.clear();
  const answers = await Promise.all(Array.from({ length: 20 }, call));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(count).toBe(2);
});

test('events of another kind than `message` keep their kind where a rule reads the stream', async () => {
  const url = await web((message, _request, response) => {
    const answer = `{"jsonrpc":"2.0",\ndata: "id":${message.id},"result":{"resultType":"complete"}}`;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`\ufeffevent: ping\r\ndata: {}\r\n\r\ndata: ${answer}\n\n`);
  });
  const { base } = await open({ s: { url, revision: MODERN, state: { mode: 'off' } } });
  const { text } = await modern(`${base}/s/mcp`, 'tools/call', { name: 'a' });
  expect(text).toBe(
    'event: ping\ndata: {}\n\nevent: message\ndata: {"jsonrpc":"2.0",\ndata: "id":1,"result":{"resultType":"complete"}}\n\n',
  );
});

describe('a call with the id 7.0 is cancelled by the id 7', () => {
  /** Tells on stderr what it was told to cancel. */
  const child = (revision: string) => ({
    revision,
    command: [
      process.execPath,
      '-e',
      `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        const result = { protocolVersion: '2025-11-25', supportedVersions: ['${MODERN}'], capabilities: {}, serverInfo: { name: 's', version: '1' } };
        if (id !== undefined && method !== 'tools/call') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
        if (method === 'tools/call') console.error('called');
        if (method === 'notifications/cancelled') console.error('cancelled ' + JSON.stringify(params.requestId));
      }).on('close', () => process.exit());`,
    ],
  });
  const CALL = '{"jsonrpc":"2.0","id":7.0,"method":"tools/call","params":{"name":"a"}}';
  const CANCEL = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}';

  test.each(['2025-11-25', MODERN])('over HTTP, to a %s server', async (revision) => {
    const lines: string[] = [];
    const gateway = await startGateway({ upstreams: { s: child(revision) } }, { log: (line) => lines.push(line) });
    gateways.push(gateway);
    const { session } = await legacy(`${gateway.base}/mcp`, 'initialize', INITIALIZE);
    const send = (body: string) =>
      fetch(`${gateway.base}/mcp`, { method: 'POST', body, headers: { ...JSON_ONLY, 'mcp-session-id': session } }).then(drain);
    const call = send(CALL);
    await eventually(() => expect(lines.join('\n')).toContain('called'));
    await send(CANCEL);
    await eventually(() => expect(lines.join('\n')).toContain('cancelled'));
    await call;
  });

  test('over stdio', async () => {
    const lines: string[] = [];
    const gateway = await startGateway(
      { identity: { single: true }, upstreams: { s: child(MODERN) } },
      { log: (line) => lines.push(line) },
    );
    gateways.push(gateway);
    const input = new PassThrough();
    const served = gateway.pipe(input, new PassThrough().resume());
    input.write(`${CALL.replace('"a"', `"a","_meta":${JSON.stringify(ENVELOPE)}`)}\n`);
    await eventually(() => expect(lines.join('\n')).toContain('called'));
    input.write(`${CANCEL.replace('7}', `7,"_meta":${JSON.stringify(ENVELOPE)}}`)}\n`);
    await eventually(() => expect(lines.join('\n')).toContain('cancelled'));
    input.end();
    await served;
  });
});

test('a log level that does not exist is refused for the request that sets it, not for each one after it', async () => {
  const levels: Json[] = [];
  const url = await web((message, _request, response) => {
    levels.push(message.params._meta[keys.LOG_LEVEL]);
    say(response, message, { supportedVersions: [MODERN], capabilities: { logging: {} } });
  });
  const { base } = await open({ s: { url, revision: MODERN } });
  const { session } = await legacy(`${base}/mcp`, 'initialize', INITIALIZE);
  const set = (level: string) => legacy(`${base}/mcp`, 'logging/setLevel', { level }, { 'mcp-session-id': session });
  expect((await set('warning')).text).toContain('"result":{}');
  expect((await set('loud')).text).toContain('-32602');
  await legacy(`${base}/mcp`, 'tools/list', {}, { 'mcp-session-id': session });
  expect(levels.at(-1)).toBe('warning');
});

test('a hidden argument that has no value takes its header with it', async () => {
  const seen: Json[] = [];
  const inputSchema = { type: 'object', properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } } };
  const url = await web((message, { headers }, response) => {
    if (message.method === 'tools/call') seen.push([message.params.arguments, headers['mcp-param-zone']]);
    say(response, message, { tools: [{ name: 'a', inputSchema }] });
  });
  const { base } = await open({ s: { url, revision: MODERN, environment: { fill: { a: { zone: { from: 'timezone', hide: true } } } } } });
  await modern(`${base}/mcp`, 'tools/list', {});
  const params = { name: 'a', arguments: { zone: 'Asia/Tokyo' } };
  await modern(`${base}/mcp`, 'tools/call', params, { headers: { 'mcp-param-zone': 'Asia/Tokyo' } });
  expect(seen).toEqual([[{}, undefined]]);
});

describe('a fault of an upstream behind another revision', () => {
  let base: string;
  const event = 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\n\n';
  beforeAll(async () => {
    const url = await web((message, request, response) => {
      const faults: Record<string, () => unknown> = {
        dies: () => response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event, () => response.destroy()),
        busy: () => response.writeHead(503, { 'retry-after': '7' }).end(),
        nothing: () => response.writeHead(202).end(),
      };
      if (message?.id === undefined) response.writeHead(request.method === 'POST' ? 202 : 405).end();
      else if (message.method === 'initialize')
        say(response, message, { ...INITIALIZE, serverInfo: INITIALIZE.clientInfo }, { 'mcp-session-id': 's' });
      else if (message.method === 'tools/call') faults[message.params.name]?.();
      else say(response, message, { supportedVersions: [MODERN], tools: [] });
    });
    ({ base } = await open({ old: { url, revision: '2025-11-25' }, new: { url, revision: MODERN } }));
  });

  test.each([
    ['dies', 502, null],
    ['busy', 503, '7'],
    ['nothing', 502, null],
  ])('%s: a 2026 client gets %i', async (name, status, retry) => {
    const answer = await modern(`${base}/old/mcp`, 'tools/call', { name }, { meta: { [keys.PROGRESS_TOKEN]: 1 } });
    expect([answer.status, answer.message?.id, answer.headers.get('retry-after')]).toEqual([status, 1, retry]);
  });

  test.each([
    ['busy', 503, '7'],
    ['nothing', 502, null],
  ])('%s: a 2025 client gets %i', async (name, status, retry) => {
    const { session } = await legacy(`${base}/new/mcp`, 'initialize', INITIALIZE);
    const answer = await legacy(`${base}/new/mcp`, 'tools/call', { name }, { 'mcp-session-id': session });
    expect([answer.status, JSON.parse(answer.text).id, answer.headers.get('retry-after')]).toEqual([status, 1, retry]);
  });

  test('nothing at all in place of an answer is a fault between equal revisions too', async () => {
    expect((await modern(`${base}/new/mcp`, 'tools/call', { name: 'nothing' })).status).toBe(502);
  });
});
