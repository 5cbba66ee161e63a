/** Pairs of equal and of different revisions, with a raw client and a raw upstream: sessions, ids, streams that end or are slow, lists that are kept. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { keys } from 'waybill';
import { begin, ENVELOPE, legacy, legacyWeb, LEGACY, listen, modern, MODERN, modernWeb, open, say, send, web, type Json } from './raw.js';
import { eventually } from '../support/eventually.js';

const complete = (message: Json, response: ServerResponse): void => say(response, message, { resultType: 'complete', content: [] });
const events = (response: ServerResponse): ServerResponse => response.writeHead(200, { 'content-type': 'text/event-stream' });
const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;

describe('BASE-18: a 2026 client', () => {
  test('has no session: a session id means nothing, and there is no stream to open and nothing to delete', async () => {
    const { base } = await open({ old: { url: await legacyWeb(complete) }, new: { url: await modernWeb(complete) } });
    for (const name of ['old', 'new']) {
      const url = `${base}/${name}/mcp`;
      expect((await modern(url, 'tools/call', { name: 'a' }, { headers: { 'mcp-session-id': 'none of ours' } })).status).toBe(200);
      for (const method of ['GET', 'DELETE']) {
        const { status, headers } = await send(url, method, { headers: { 'mcp-protocol-version': MODERN } });
        expect([status, headers.allow]).toEqual([405, 'POST']);
      }
    }
  });

  test('shares its session at a 2025 server only with clients of the same name', async () => {
    const url = await legacyWeb((message, response, { headers }) => say(response, message, { session: headers['mcp-session-id'] }));
    const { base } = await open({ s: { url } }, { identity: { single: true } });
    const of = async (name: string): Promise<Json> => {
      const { text } = await modern(`${base}/mcp`, 'tools/call', { name: 'a' }, { meta: { [keys.CLIENT_INFO]: { name, version: '1' } } });
      return JSON.parse(text).result.session;
    };
    expect([await of('A'), await of('B'), await of('A')]).toEqual(['A', 'B', 'A']);
  });
});

describe('the id of an error', () => {
  test.each([
    ['12345678901234567890', '{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call","params":{"name":"bad"}}', -32602],
    ['1.0', '{"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"bad"}}', -32602],
    ['7', '{"jsonrpc":"2.0","id":7,"method":5}', -32600],
    ['"\\u0061"', '{"id":"\\u0061"}', -32600],
    ['null', '[{"jsonrpc":"2.0","id":7,"method":"ping"}]', -32600],
    ['null', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['null', '{"id":7', -32700],
  ])('is the one of the request as it was written: %s', async (id, body, code) => {
    const { base } = await open({ s: { url: await modernWeb(complete), tools: { exclude: ['bad'] } } });
    const { text } = await send(`${base}/mcp`, 'POST', { body, headers: { 'content-type': 'application/json' } });
    expect(text.startsWith(`{"jsonrpc":"2.0","id":${id},`)).toBe(true);
    expect(JSON.parse(text).error.code).toBe(code);
  });
});

test.each([
  ['the name', '"name":"bad","name":"good"', '{"name":"good",'],
  ['the parameters', '"name":"bad"},"params":{"name":"good"', '{"name":"good",'],
])('of two members of one name the upstream gets the one that the rules have judged: %s', async (_, written, sent) => {
  let got = '';
  const url = await modernWeb((message, response, _request, text) => {
    got = text;
    complete(message, response);
  });
  const { base } = await open({ s: { url, tools: { exclude: ['bad'] } } });
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${written},"_meta":${JSON.stringify(ENVELOPE)}}}`;
  const { status } = await modern(`${base}/mcp`, 'tools/call', { name: 'good' }, { body });
  expect(status).toBe(200);
  expect(got).toContain(sent);
  expect(got).not.toContain('bad');
});

describe('L→M', () => {
  test('an upstream that ends its subscription ends the stream of the client', async () => {
    let opened: ServerResponse | undefined;
    const url = await modernWeb(
      (message, response) => {
        const params = { _meta: { [keys.SUBSCRIPTION_ID]: message.id }, notifications: {} };
        events((opened = response)).write(event({ method: 'notifications/subscriptions/acknowledged', params }));
      },
      { tools: { listChanged: true } },
    );
    const { base } = await open({ s: { url } });
    const stream = listen(`${base}/mcp`, await begin(`${base}/mcp`));
    await eventually(() => expect(opened).toBeDefined());
    opened?.end();
    expect((await stream).status).toBe(200);
  });

  test('the capabilities that an aware client declares on one request replace those of its session there', async () => {
    const seen: Json[] = [];
    const url = await modernWeb((message, response) => {
      seen.push(message.params._meta);
      complete(message, response);
    });
    const { base } = await open({ s: { url, tools: { requires: { book: { elicitation: {} } } } } });
    const session = await begin(`${base}/mcp`, { roots: {} });
    const meta = { [keys.OWN_CLIENT_CAPABILITIES]: { elicitation: {} } };
    const { text } = await legacy(`${base}/mcp`, 'tools/call', { name: 'book', _meta: meta }, { session });
    expect(JSON.parse(text).result.content).toEqual([]);
    expect(seen.at(-1)).toEqual({ ...ENVELOPE, [keys.CLIENT_CAPABILITIES]: { elicitation: {} }, [keys.CLIENT_INFO]: expect.anything() });
    expect((await legacy(`${base}/mcp`, 'tools/call', { name: 'book' }, { session })).text).toContain('-32021');
  });
});

describe.each(['L→M', 'M→L'])('%s: a client that does not read', (pair) => {
  test('stops the upstream from writing', async () => {
    let written = 0;
    let isWaiting = false;
    const line = (token: unknown): string =>
      event({ method: 'notifications/progress', params: { progressToken: token, progress: 1, message: 'x'.repeat(50_000) } });
    const flood = ({ method, params, ...message }: Json, response: ServerResponse): void => {
      if (method !== 'tools/call') return say(response, message, { resultType: 'complete', tools: [] });
      const text = line(params._meta.progressToken);
      const write = (): void => {
        isWaiting = false;
        do written += text.length;
        while (response.write(text) && written < 100_000_000);
        isWaiting = true;
        response.once('drain', write);
      };
      events(response);
      write();
    };
    const url = await (pair === 'L→M' ? modernWeb(flood) : legacyWeb(flood));
    const { base } = await open({ s: { url } });
    const sending = { onData: (response: Json) => response.pause(), signal: AbortSignal.timeout(20_000) };
    const meta = { [keys.PROGRESS_TOKEN]: 1 };
    if (pair === 'M→L') void modern(`${base}/mcp`, 'tools/call', { name: 'a' }, { ...sending, meta }).catch(() => undefined);
    else {
      const session = await begin(`${base}/mcp`);
      void legacy(`${base}/mcp`, 'tools/call', { name: 'a', _meta: meta }, { ...sending, session }).catch(() => undefined);
    }
    let before = -1;
    await vi.waitFor(
      () => {
        const isStill = isWaiting && written === before && written > 0;
        before = written;
        expect(isStill).toBe(true);
      },
      { timeout: 15_000, interval: 500 },
    );
    expect(written).toBeLessThan(60_000_000);
  });
});

test('a 2025 server that opens a stream for the probe and says nothing is served as such', { timeout: 10_000 }, async () => {
  const url = await web((message, response, { method }) => {
    if (message?.method === 'server/discover') events(response).flushHeaders();
    else if (message?.method === 'initialize') say(response, message, { protocolVersion: LEGACY, capabilities: {}, serverInfo: {} });
    else response.writeHead(method === 'GET' ? 405 : 202).end();
  });
  const { base } = await open({ s: { url } }, { limits: { time: '1s' } });
  const { text } = await legacy(`${base}/mcp`, 'initialize', { protocolVersion: LEGACY, capabilities: {}, clientInfo: {} });
  expect(JSON.parse(text).result.protocolVersion).toBe(LEGACY);
});

describe('a list that is kept', () => {
  test('is kept by the client no longer than the upstream allowed', async () => {
    let now = 1_000_000;
    const url = await modernWeb((message, response) =>
      say(response, message, { resultType: 'complete', tools: [], ttlMs: 30_000, cacheScope: 'public' }),
    );
    const { base } = await open({ s: { url, language: { default: 'en' } } }, {}, { now: () => now });
    const life = async (): Promise<Json> => JSON.parse((await modern(`${base}/mcp`, 'tools/list')).text).result.ttlMs;
    expect(await life()).toBe(30_000);
    now += 20_000;
    expect(await life()).toBe(10_000);
  });

  test('IX-09: sets no state a second time', async () => {
    let asked = 0;
    const url = await modernWeb((message, response) => {
      const _meta = { 'modelcontextprotocol.io/state/session': { at: String(++asked) } };
      say(response, message, { resultType: 'complete', tools: [], ttlMs: 30_000, cacheScope: 'public', _meta });
    });
    const { base } = await open({ s: { url, language: { default: 'en' } } });
    const list = async (): Promise<string> => (await modern(`${base}/mcp`, 'tools/list')).text;
    expect([await list(), await list()].map((text) => JSON.parse(text).result._meta['modelcontextprotocol.io/state/session'].at)).toEqual([
      '1',
      '2',
    ]);
  });
});

test('D-20: an argument does not tell the zone that the policy keeps back', async () => {
  const url = await modernWeb((message, response) => say(response, message, { seen: message.params.arguments }));
  const fill = { a: { zone: { from: 'timezone' }, place: { from: 'locale' } } };
  const { base } = await open({ s: { url, environment: { defaults: { timezone: 'UTC' }, fill }, policy: { timezone: 'never' } } });
  const meta = { [keys.CLIENT_CONTEXT]: { timezone: 'Europe/Vienna', locale: 'de-AT' } };
  const { text } = await modern(`${base}/mcp`, 'tools/call', { name: 'a' }, { meta });
  expect(JSON.parse(text).result.seen).toEqual({ zone: 'UTC', place: 'de-AT' });
});

/** It ignores the end of its stdin and every polite signal, and has a child of its own. */
const STUBBORN = `
  process.on('SIGTERM', () => undefined);
  const { pid } = require('node:child_process').spawn('sleep', ['300']);
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) =>
    console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: { pids: [process.pid, pid] } })));
  setInterval(() => undefined, 1000);
`;

test('a gateway that is killed leaves no process behind', { timeout: 30_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-killed-'));
  const file = join(folder, 'gateway.json');
  const command = [process.execPath, '-e', STUBBORN];
  writeFileSync(file, JSON.stringify({ upstreams: { s: { command, revision: MODERN } } }));
  const bin = new URL('../../packages/gateway/dist/bin.js', import.meta.url).pathname;
  const gateway = spawn(process.execPath, [bin, '--config', file, '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [gateway.stdout, gateway.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const address = (): string => /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(output)?.[0] ?? '';
  await eventually(() => expect(address()).not.toBe(''));
  const { text } = await modern(address(), 'tools/call', { name: 'a' });
  const { pids } = JSON.parse(text).result as { pids: number[] };
  expect(pids.filter(isRunning)).toHaveLength(2);
  gateway.kill('SIGKILL');
  await eventually(() => expect(pids.filter(isRunning)).toEqual([]));
  rmSync(folder, { recursive: true });
});

/** A zombie whose new parent does not collect it runs no more. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
