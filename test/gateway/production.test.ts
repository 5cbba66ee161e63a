/** The command in production, as an on-call engineer uses it: check, start, change the file, send signals. And the reload, under load. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { BIN, startGateway } from './through.js';

const EXAMPLE = fileURLToPath(new URL('../../packages/gateway/src/config/fixtures/complete.yaml', import.meta.url));
const ENVELOPE = { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {} };
const env = { WAYBILL_ADMIN: 'admin-secret', TZDB_KEY: 'k', CRM_TOKEN: 't', PATH: process.env['PATH'] ?? '' };

/** Answers `slow` only when it is told to. */
let release: () => void = () => undefined;
/** The streams of clients. */
const opened: ServerResponse[] = [];
const upstream = createServer((request, response) => {
  let text = '';
  request
    .on('data', (chunk) => (text += String(chunk)))
    .on('end', () => {
      if (request.method === 'GET') {
        opened.push(response);
        return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
      }
      const { id, params } = JSON.parse(text);
      const answer = (): void =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete' } }));
      if (params?.name === 'slow') release = answer;
      else answer();
    });
});
let url: string;
let folder: string;
beforeAll(async () => {
  url = `${await listen(upstream)}/mcp`;
  folder = mkdtempSync(join(tmpdir(), 'waybill-'));
});
afterAll(() => {
  upstream.closeAllConnections();
  upstream.close();
  rmSync(folder, { recursive: true });
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function call(base: string, name: string, path = '/s/mcp'): Promise<Response> {
  return fetch(base + path, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, _meta: ENVELOPE } }),
    headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
  });
}

/** A running command. `says` resolves with the first line from now on that fits. */
class Running {
  readonly child: ChildProcess;
  text = '';
  #seen = 0;
  #wake: () => void = () => undefined;

  constructor(...args: string[]) {
    this.child = spawn(process.execPath, [BIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const output of [this.child.stdout!, this.child.stderr!])
      output.on('data', (chunk) => {
        this.text += String(chunk);
        this.#wake();
      });
  }

  async says(fits: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = fits.exec(this.text.slice(this.#seen));
      if (found !== null) {
        this.#seen += found.index + found[0].length;
        return found;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Resolves when the upstream has the call that waits. */
  async asked(): Promise<void> {
    while (release.name !== 'answer') await new Promise(setImmediate);
  }

  async over(): Promise<number | null> {
    if (this.child.exitCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }
}

describe('the command', () => {
  test('--check-config accepts the complete example, and names each problem of a wrong one', async () => {
    const copy = join(folder, 'complete.yaml');
    cpSync(EXAMPLE, copy);
    const right = new Running('--config', copy, '--check-config');
    expect([await right.over(), right.text]).toEqual([0, expect.stringContaining(`${copy}: valid. Upstreams: time, crm\n`)]);
    writeFileSync(copy, readFileSync(EXAMPLE, 'utf8').replace('  crm:', '  crn:\n    urll: x').replace('rate: 50/s', 'rate: often'));
    const wrong = new Running('--config', copy, '--check-config');
    expect([
      await wrong.over(),
      wrong.text
        .trim()
        .split('\n')
        .map((line) => line.slice(copy.length + 1)),
    ]).toEqual([2, ['8:45: limits.rate: expected a value such as 50/s', '30:5: upstreams.crn.urll: unknown; did you mean url?']]);
  });

  test('the complete example runs: its tokens are wanted, and its admin address answers', async () => {
    const copy = join(folder, 'running.yaml');
    writeFileSync(copy, readFileSync(EXAMPLE, 'utf8').replace(/127\.0\.0\.1:778[01]/g, '127.0.0.1:0'));
    const running = new Running('--config', copy);
    const [, base = ''] = await running.says(/^(http:\S+)\/time\/mcp {3}.*$/m);
    const [, admin = ''] = await running.says(/^(http:\S+) {3}\/readyz \/metrics \/feed/m);
    expect((await call(base, 'a', '/time/mcp')).status).toBe(401);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    const { upstreams } = await (await fetch(`${admin}/readyz`, { headers: { authorization: 'Bearer admin-secret' } })).json();
    expect(Object.keys(upstreams)).toEqual(['time', 'crm']);
    running.child.kill('SIGTERM');
    expect(await running.over()).toBe(0);
  });

  test('a changed file and SIGHUP are taken over; a broken file keeps the one before and says so', async () => {
    const file = join(folder, 'watched.yaml');
    const write = (more: string): void =>
      writeFileSync(file, `listen: 127.0.0.1:0\nupstreams:\n  s: { url: "${url}", revision: 2026-07-28 }\n${more}`);
    write('');
    const running = new Running('--config', file);
    const [, base = ''] = await running.says(/(http:\S+)\/s\/mcp/);
    write(`  other: { url: "${url}", revision: 2026-07-28 }\n`);
    await running.says(/watched\.yaml: taken over/);
    expect((await call(base, 'a', '/other/mcp')).status).toBe(200);
    write('  other: { urll: x }\n');
    await running.says(
      /not taken over, the configuration before it stays:\n.*watched\.yaml:4:12: upstreams\.other\.urll: unknown; did you mean url\?/,
    );
    expect((await call(base, 'a', '/other/mcp')).status).toBe(200);
    running.child.kill('SIGHUP');
    await running.says(/not taken over/);
    write('');
    await running.says(/taken over/);
    expect((await call(base, 'a', '/other/mcp')).status).toBe(404);
    running.child.kill('SIGTERM');
    await running.over();
  });

  test('a file that is not taken over is a warning', async () => {
    const file = join(folder, 'warned.yaml');
    const write = (more: string): void =>
      writeFileSync(file, `log: { format: json }\nlisten: 127.0.0.1:0\nupstreams:\n  s: { url: "${url}" }\n${more}`);
    write('');
    const running = new Running('--config', file);
    await running.says(/\/s\/mcp/);
    write('  other: { urll: x }\n');
    running.child.kill('SIGHUP');
    await running.says(/"level":40[^\n]*not taken over[^\n]*\n[^\n]*"level":40[^\n]*did you mean url\?/);
    write('');
    running.child.kill('SIGHUP');
    await running.says(/"level":30[^\n]*: taken over/);
    running.child.kill('SIGTERM');
    await running.over();
  });

  test('SIGTERM finishes the call that runs, ends open streams, takes no new connection, and exits 0', async () => {
    const running = new Running('--listen', '127.0.0.1:0', url);
    const [, base = ''] = await running.says(/(http:\S+)\/server\/mcp/);
    const stream = await fetch(`${base}/mcp`, { headers: { accept: 'text/event-stream' } });
    const answer = call(base, 'slow', '/mcp');
    await running.asked();
    running.child.kill('SIGTERM');
    await running.says(/stopping: waiting for open requests/);
    expect(await stream.text()).toContain(': open');
    await expect(call(base, 'a', '/mcp')).rejects.toThrow();
    release();
    release = () => undefined;
    expect((await answer).status).toBe(200);
    expect(await running.over()).toBe(0);
    expect(running.text).toMatch(/audit who=- upstream=server method=tools\/call name=slow outcome=ok status=200/);
  });

  test('a second signal, also of the other kind, ends at once', async () => {
    const running = new Running('--listen', '127.0.0.1:0', url);
    const [, base = ''] = await running.says(/(http:\S+)\/server\/mcp/);
    const answer = call(base, 'slow', '/mcp').then(
      () => 'answered',
      () => 'broken off',
    );
    await running.asked();
    running.child.kill('SIGINT');
    await running.says(/stopping: waiting for open requests/);
    running.child.kill('SIGTERM');
    expect([await running.over(), await answer]).toEqual([143, 'broken off']);
    release();
    release = () => undefined;
  });

  test('the port that is in use is named, with the way out', async () => {
    const { port } = upstream.address() as AddressInfo;
    const running = new Running('--listen', `127.0.0.1:${port}`, url);
    expect([await running.over(), running.text]).toEqual([2, expect.stringContaining('Choose another with --listen HOST:PORT')]);
  });
});

test('200 reloads under load lose no request, whatever changes', async () => {
  const config = (round: number): object => ({
    limits: { time: `${30 + (round % 3)}s` },
    upstreams: {
      s: {
        url,
        revision: '2026-07-28',
        ...(round % 2 && { policy: { language: 'never' } }),
        ...(round % 5 === 0 && { cache: { lists: '1m' } }),
      },
      child: {
        command: [process.execPath, '-e', CHILD],
        revision: '2026-07-28',
        ...(round % 50 === 0 && { env: { ROUND: String(round) } }),
      },
    },
  });
  const gateway = await startGateway(config(1));
  let isOver = false;
  let total = 0;
  const statuses = new Map<number, number>();
  const load = async (path: string): Promise<void> => {
    while (!isOver) {
      const response = await call(gateway.base, 'a', path);
      await response.text();
      total++;
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  };
  const loads = ['/s/mcp', '/s/mcp', '/child/mcp', '/child/mcp'].map(load);
  for (let round = 0; round < 200; round++) {
    expect(await gateway.reload({ listen: '127.0.0.1:0', store: 'memory', ...config(round) })).toEqual([]);
    // At least one more request has been answered.
    for (const before = total; total === before;) await new Promise(setImmediate);
  }
  isOver = true;
  await Promise.all(loads);
  expect([...statuses.keys()]).toEqual([200]);
  expect(total).toBeGreaterThanOrEqual(200);
  expect((await call(gateway.base, 'a', '/child/mcp')).status).toBe(200);
  expect(gateway.children('child').running).toBe(1);
  await gateway.close();
});

test('a stream that is open goes on across a reload, and a session too', async () => {
  const config = (more: object): object => ({
    listen: '127.0.0.1:0',
    store: 'memory',
    upstreams: { s: { url, revision: '2025-11-25', ...more } },
  });
  const gateway = await startGateway(config({}));
  const stream = await fetch(`${gateway.base}/s/mcp`, { headers: { accept: 'text/event-stream' } });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe(': open\n\n');
  await gateway.reload(config({ policy: { language: 'never' } }));
  const later = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';
  opened.at(-1)!.write(later);
  expect((await reader.read()).value).toBe(later);
  await reader.cancel();
  await gateway.close();
});

const CHILD = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
}).on('close', () => process.exit());`;

test('settings that count from the next start are named, and a wrong configuration changes nothing', async () => {
  const gateway = await startGateway({ upstreams: { s: { url, revision: '2026-07-28' } } });
  const upstreams = { t: { url, revision: '2026-07-28' } };
  await expect(gateway.reload({ upstreams: {} })).rejects.toThrow(/upstreams/);
  expect((await call(gateway.base, 'a')).status).toBe(200);
  expect(await gateway.reload({ listen: '127.0.0.1:1', store: 'sqlite:./other.db', upstreams })).toEqual(['listen', 'store']);
  expect([(await call(gateway.base, 'a')).status, (await call(gateway.base, 'a', '/t/mcp')).status]).toEqual([404, 200]);
  await gateway.close();
});

test('reloads that are asked for at once are done one after the other', async () => {
  const gateway = await startGateway({ upstreams: { s: { url, revision: '2026-07-28' } } });
  const to = (path: string): object => ({
    listen: '127.0.0.1:0',
    store: 'memory',
    upstreams: { s: { url: url + path, revision: '2026-07-28' } },
  });
  await Promise.all(['?other', ''].map((path) => gateway.reload(to(path))));
  expect((await call(gateway.base, 'a')).status).toBe(200);
  await gateway.close();
  await expect(gateway.reload(to(''))).rejects.toThrow('reload: the gateway is closed');
});

test('an identity cannot be taken away from an address that other machines can reach, whatever the new file says of the address', async () => {
  const gateway = await startGateway({
    ...{ listen: '0.0.0.0:0', hosts: ['gw'], identity: { trustedProxy: { header: 'X-User', from: ['10.0.0.1'] } } },
    upstreams: { s: { url, revision: '2026-07-28' } },
  });
  const base = gateway.base.replace('0.0.0.0', '127.0.0.1');
  for (const identity of [{}, { identity: { single: true } }])
    await expect(gateway.reload({ ...identity, upstreams: { s: { url, revision: '2026-07-28' } } })).rejects.toThrow(
      'identity: is needed until the next start, because the gateway listens at 0.0.0.0, which other machines can reach',
    );
  expect((await call(base, 'a')).status).toBe(403);
  await gateway.close();
});

test('limits: more than the rate gets 429 with Retry-After and the id', async () => {
  const gateway = await startGateway({ limits: { rate: '2/m' }, upstreams: { s: { url, revision: '2026-07-28' } } }, { now: () => 0 });
  expect([(await call(gateway.base, 'a')).status, (await call(gateway.base, 'a')).status]).toEqual([200, 200]);
  const refused = await call(gateway.base, 'a');
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    429,
    '30',
    { jsonrpc: '2.0', id: 7, error: { code: -32000, message: 'Too Many Requests: more than 2/m to s' } },
  ]);
  await gateway.close();
});
