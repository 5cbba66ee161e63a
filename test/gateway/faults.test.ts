/** Bad input and faults: each gets the fitting answer, the other upstream notices nothing, and nothing is left behind. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { STDIO_SERVER, startGateway } from './through.js';
import { eventually } from '../support/eventually.js';

type Json = any;
const ENVELOPE = { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {} };
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28' };
const ok = (response: ServerResponse, id: Json): void =>
  void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"resultType":"complete","big":12345678901234567890,"one":1.0}}`);

/** Upstreams that misbehave by the name of the tool that is called. */
const faults: Record<string, (response: ServerResponse, id: Json) => void> = {
  fine: ok,
  dies: (response) => void response.destroy(),
  'dies in the middle': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n', () => response.destroy());
  },
  hangs: () => undefined,
  'hangs after the head': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
  },
  'hangs in the middle': (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":'),
  'dies after the head': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    setImmediate(() => response.destroy());
  },
  garbage: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
  'redirects away': (response) => void response.writeHead(307, { location: 'http://localhost:1/mcp' }).end(),
  'asks for a token': (response) =>
    void response.writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="https://theirs.example"' }).end(),
};

/** A child that misbehaves by the name of the tool. */
const CHILD = `
  let rest = '';
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\\n'); rest = lines.pop();
    for (const line of lines) {
      const { id, method, params } = JSON.parse(line);
      const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      if (method === 'server/discover') say({ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} });
      else if (params?.name === 'dies') process.exit(1);
      else if (params?.name === 'garbage') { console.log('not json'); console.log('[1]'); say({ after: 'garbage' }); }
      else if (params?.name === 'twice') { say({ first: true }); say({ second: true }); }
      else if (params?.name !== 'hangs' && id !== undefined) say({ ok: true });
    }
  });
  process.stdin.on('end', () => process.exit());
`;

let base: string;
let gateway: Awaited<ReturnType<typeof startGateway>>;
const upstream = createServer((request, response) => {
  let text = '';
  request
    .on('data', (chunk) => (text += String(chunk)))
    .on('end', () => {
      const { id, method, params } = JSON.parse(text);
      if (method === 'server/discover')
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result: { supportedVersions: ['2026-07-28'], capabilities: {} } }));
      else (faults[params.name] ?? ok)(response, id);
    });
});
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`;
  gateway = await startGateway({
    limits: { body: '64KB', time: '1s' },
    origins: ['https://app.example'],
    upstreams: {
      web: { url },
      // A rule that reads each answer.
      ruled: { url, state: { mode: 'off' } },
      child: { command: [process.execPath, '-e', CHILD] },
      gone: { url: 'http://127.0.0.1:1/mcp', revision: '2026-07-28' },
      missing: { command: ['/no/such/program'], revision: '2026-07-28' },
    },
  });
  ({ base } = gateway);
});
afterAll(async () => {
  await gateway.close();
  upstream.closeAllConnections();
  upstream.close();
});

async function call(name: string, path = '/web/mcp', at = base) {
  const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, _meta: ENVELOPE } };
  const response = await fetch(at + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...HEADERS, 'mcp-method': 'tools/call', 'mcp-name': name },
  });
  const text = await response.text().catch(() => 'broken off');
  return {
    status: response.status,
    text,
    headers: response.headers,
    error: /^\{/.test(text) ? JSON.parse(text).error : undefined,
    id: /^\{/.test(text) ? JSON.parse(text).id : undefined,
  };
}

describe('an upstream', () => {
  test.each([
    ['dies', '/web/mcp', 502],
    ['hangs', '/web/mcp', 504],
    ['hangs after the head', '/web/mcp', 504],
    ['hangs in the middle', '/ruled/mcp', 504],
    ['dies after the head', '/web/mcp', 502],
    ['dies after the head', '/ruled/mcp', 502],
    ['garbage', '/web/mcp', 502],
    ['redirects away', '/web/mcp', 502],
    ['anything', '/gone/mcp', 502],
    ['anything', '/missing/mcp', 502],
    ['dies', '/child/mcp', 502],
    ['hangs', '/child/mcp', 504],
  ])('that %s at %s gives %i, with the id, and the next call works', async (name, path, status) => {
    const { status: got, id, error } = await call(name, path);
    expect([got, id, error?.code]).toEqual([status, 7, -32603]);
    expect((await call('fine')).status).toBe(200);
    expect((await call('fine', '/child/mcp')).text).toContain('"ok":true');
  });

  test('that stops in the middle of a JSON body which passes as bytes: the client sees that it is not the whole', async () => {
    const { port } = upstream.address() as AddressInfo;
    const alone = await startGateway({ limits: { time: '1s' }, upstreams: { web: { url: `http://127.0.0.1:${port}/mcp` } } });
    expect((await call('hangs in the middle', '/web/mcp', alone.base)).text).toBe('broken off');
    expect((await call('hangs after the head', '/web/mcp', alone.base)).status).toBe(504);
    await alone.close();
  });

  test('that breaks off in the middle: the client gets an error in place of the answer', async () => {
    expect((await call('dies in the middle')).text).toMatch(/notifications\/message[^]*"id":7,"error":\{"code":-32603/);
  });

  test('that writes garbage between messages, or answers twice, is understood once', async () => {
    expect((await call('garbage', '/child/mcp')).text).toContain('"after":"garbage"');
    expect((await call('twice', '/child/mcp')).text).toContain('"first":true');
    expect((await call('fine', '/child/mcp')).text).toContain('"ok":true');
  });

  test('keeps its 401, without its challenge', async () => {
    const { status, headers } = await call('asks for a token');
    expect([status, headers.get('www-authenticate')]).toEqual([401, null]);
  });

  test('keeps its numbers', async () => {
    expect((await call('fine')).text).toContain('"big":12345678901234567890,"one":1.0');
  });
});

describe('a client', () => {
  const send = async (body: string, headers: Record<string, string> = {}, path = '/web/mcp') => {
    const response = await fetch(base + path, { method: 'POST', body, headers: { ...HEADERS, ...headers } });
    return [response.status, (await response.json()).error.code];
  };
  const call_ = (name: string): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, _meta: ENVELOPE } });

  test.each([
    ['no JSON', '{', {}, [400, -32700]],
    ['a batch', '[]', {}, [400, -32600]],
    ['no message', '{"a":1}', {}, [400, -32600]],
    ['a message that is nested too deeply', '['.repeat(200) + ']'.repeat(200), {}, [400, -32600]],
    ['a body beyond the limit', `"${'x'.repeat(70_000)}"`, {}, [413, -32600]],
    ['a method header that differs', call_('a'), { 'mcp-method': 'tools/list', 'mcp-name': 'a' }, [400, -32020]],
    ['no name header', call_('a'), { 'mcp-method': 'tools/call' }, [400, -32020]],
    ['a 2026 header without an envelope', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', { 'mcp-method': 'tools/list' }, [400, -32602]],
    ['another type', '{}', { 'content-type': 'text/plain' }, [415, -32000]],
  ])('that sends %s is told so', async (_, body, headers, expected) => {
    expect(await send(body, headers)).toEqual(expected);
  });

  test('is not served under another Host, from another Origin, or at another address', async () => {
    const ask = (headers: Record<string, string>, path = '/web/mcp'): Promise<number | undefined> =>
      new Promise((resolve) => {
        const sent = httpRequest(base + path, { method: 'POST', headers: { ...HEADERS, ...headers } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.end('{}');
      });
    expect(await ask({ host: 'evil.example' })).toBe(403);
    expect(await ask({ origin: 'https://evil.example' })).toBe(403);
    expect(await ask({ origin: 'https://app.example' })).toBe(400);
    // A page of the gateway's own address.
    expect(await ask({ origin: base })).toBe(400);
    expect(await ask({ origin: base.replace('127.0.0.1', 'localhost') })).toBe(403);
    expect(await ask({}, '/nobody/mcp')).toBe(404);
  });

  test('that sends its body too slowly is given up', async () => {
    const { hostname, port } = new URL(base);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(`POST /web/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`),
      );
      let text = '';
      socket.on('data', (chunk) => (text += String(chunk))).on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });
});

const descriptors = (): number => readdirSync('/proc/self/fd').length;
/** Children of this process that are over and not yet waited for. */
const zombies = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      return state === 'Z' && Number(parent) === process.pid;
    } catch {
      return false;
    }
  });

test('a client that does not read stops the upstream from writing', async () => {
  let written = 0;
  let flooding: ServerResponse | undefined;
  const flood = createServer((request, response) => {
    request.resume();
    flooding = response.writeHead(200, { 'content-type': 'text/event-stream' });
    const line = `data: {"jsonrpc":"2.0","method":"x","params":"${'x'.repeat(60_000)}"}\n\n`;
    const more = (): void => {
      do written += line.length;
      while (response.write(line) && written < 500_000_000);
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => flood.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(flood.address() as AddressInfo).port}/mcp`;
  // With a rule that reads each message, and without.
  for (const state of ['pass', 'off']) {
    const started = await startGateway({ upstreams: { s: { url, revision: '2026-07-28', state: { mode: state } } } });
    const headers = { ...HEADERS, 'mcp-method': 'tools/call', 'mcp-name': 'a' };
    const request = httpRequest(`${started.base}/s/mcp`, { method: 'POST', headers });
    const answered = new Promise<void>((resolve) => request.on('response', (response) => resolve(void response.pause())));
    request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', _meta: ENVELOPE } }));
    await answered;
    let before = -1;
    await eventually(() => {
      const isStill = before === written && flooding?.writableNeedDrain === true;
      before = written;
      expect(isStill).toBe(true);
    });
    expect(written).toBeLessThan(100_000_000);
    request.destroy();
    await started.close();
    written = 0;
  }
  flood.closeAllConnections();
  flood.close();
});

describe('a slice of the soak', () => {
  test('20 child restarts leave no zombie and no process', async () => {
    const started = await startGateway({ upstreams: { child: { command: [process.execPath, '-e', CHILD], revision: '2026-07-28' } } });
    const post = async (name: string): Promise<number> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, _meta: ENVELOPE } });
      const response = await fetch(`${started.base}/child/mcp`, {
        method: 'POST',
        body,
        headers: { ...HEADERS, 'mcp-method': 'tools/call', 'mcp-name': name },
      });
      await response.text();
      return response.status;
    };
    for (let round = 0; round < 20; round++) {
      expect(await post('fine')).toBe(200);
      expect(await post('dies')).toBe(502);
    }
    expect(started.children('child')).toEqual({ running: 0, starts: 20 });
    await started.close();
    expect(zombies()).toEqual([]);
  });

  test('500 requests leave the descriptors level', async () => {
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 25 }, () => call('fine')));
    const before = descriptors();
    for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 25 }, () => call('fine')));
    expect(descriptors()).toBeLessThanOrEqual(before + 10);
  });
});

test('a server that names no caller is never shared: each session has a process of its own', async () => {
  const started = await startGateway({
    upstreams: { s: { command: [process.execPath, STDIO_SERVER, 'v1'], revision: '2025-11-25', children: { max: 2 } } },
  });
  const open = async (): Promise<number> => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    };
    const response = await fetch(`${started.base}/s/mcp`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', accept: HEADERS.accept },
    });
    await response.text();
    return response.status;
  };
  expect([await open(), await open()]).toEqual([200, 200]);
  expect(started.children('s').running).toBe(2);
  // A third session takes the place of the one that nobody uses.
  expect(await open()).toBe(200);
  expect(started.children('s').running).toBe(2);
  await started.close();
});
