/** The addresses for operators, as an operator uses them: /healthz, /readyz, /metrics, /feed. */
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { startGateway } from './through.js';

type Json = any;
const ENVELOPE = { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {} };
const TOKEN = 'the token of the operators';
const upstream = createServer((request, response) => {
  let text = '';
  request
    .on('data', (chunk) => (text += String(chunk)))
    .on('end', () => {
      if (request.method === 'HEAD') return void response.writeHead(405).end();
      const { id, method, params } = JSON.parse(text);
      const result =
        method === 'tools/list'
          ? { resultType: 'complete', tools: [], ttlMs: 60_000, cacheScope: 'public' }
          : { resultType: 'complete', content: [], ...(params.name === 'fails' && { isError: true }) };
      const answer = params.name === 'no such' ? { error: { code: -32602, message: 'Unknown tool' } } : { result };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
});

let gateway: Awaited<ReturnType<typeof startGateway>>;
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`;
  gateway = await startGateway({
    admin: { listen: '127.0.0.1:0', token: TOKEN },
    upstreams: {
      web: { url, revision: '2026-07-28', policy: { trace: 'never' }, cache: { lists: '1m' } },
      gone: { url: 'http://127.0.0.1:1/mcp', revision: '2026-07-28' },
      child: { command: [process.execPath, '-e', ''], revision: '2026-07-28' },
    },
  });
});
afterAll(async () => {
  await gateway.close();
  upstream.closeAllConnections();
  upstream.close();
});

const asOperator = { authorization: `Bearer ${TOKEN}` };
const admin = (path: string, headers: Record<string, string> = asOperator): Promise<Response> =>
  fetch(`${gateway.admin}${path}`, { headers });

async function call(method: string, params: Json = {}, { path = '/web/mcp', base = gateway.base } = {}): Promise<number> {
  const body = { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: { ...ENVELOPE, ...params._meta } } };
  const response = await fetch(base + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28' },
      ...{ 'mcp-method': method, ...(params.name && { 'mcp-name': params.name }) },
      'accept-language': params._meta?.[keys.ACCEPT_LANGUAGE] ?? '*',
    },
  });
  await response.text();
  return response.status;
}

/** Reads events of the feed until one fits. */
async function feed(
  fits: (data: Json) => boolean,
  headers: Record<string, string> = asOperator,
  from = gateway,
): Promise<[string, Json][]> {
  const stop = new AbortController();
  const response = await fetch(`${from.admin}/feed`, { headers, signal: stop.signal });
  const events: [string, Json][] = [];
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop()!;
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data !== undefined) events.push([/^event: (.*)$/m.exec(part)![1]!, JSON.parse(data)]);
    }
    if (events.some(([, data]) => fits(data))) break;
  }
  stop.abort();
  return events;
}

test('/healthz answers everybody, under any name of the host', async () => {
  const { port } = new URL(gateway.base);
  const status = await new Promise((resolve) => {
    httpRequest({ port, path: '/healthz', headers: { host: '10.0.0.7:7780' } }, (response) => resolve(response.resume().statusCode)).end();
  });
  expect(status).toBe(200);
  expect((await admin('/healthz', {})).status).toBe(200);
});

test.each(['/readyz', '/metrics', '/feed'])('%s wants the token, and is not on the main address', async (path) => {
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${TOKEN}` }]) {
    const response = await admin(path, headers);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="waybill admin"']);
  }
  expect((await fetch(gateway.base + path, { headers: asOperator })).status).toBe(404);
});

test('/readyz tells of each upstream; one that cannot be reached does not take the others away', async () => {
  const response = await admin('/readyz');
  expect([response.status, await response.json()]).toEqual([
    200,
    { ready: true, store: 'ok', upstreams: { web: 'ok', gone: 'cannot be reached', child: 'ok' }, stopping: false },
  ]);
  expect((await admin('/readyz?upstream=gone')).status).toBe(503);
  expect(await call('tools/call', { name: 'a' }, { path: '/child/mcp' })).toBe(502);
  expect((await (await admin('/readyz')).json()).upstreams.child).toBe('its process ended before it spoke, 1 times in a row');
});

describe('/feed', () => {
  test('tells names, times and sizes of each exchange, and no body', async () => {
    const meta = { [keys.ACCEPT_LANGUAGE]: 'de', [keys.TRACEPARENT]: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    const reading = feed(({ name }) => name === 'last');
    await call('tools/call', { name: 'book', _meta: meta });
    await call('tools/call', { name: 'fails' });
    await call('tools/call', { name: 'no such' });
    await call('tools/list');
    await call('tools/list');
    await call('tools/call', { name: 'a' }, { path: '/gone/mcp' });
    await call('tools/call', { name: 'last' });
    const events = await reading;
    expect(events[0]).toEqual([
      'gateway',
      {
        feed: 'names',
        upstreams: [
          { name: 'web', rules: ['lists', 'state (web/…)', 'policy'] },
          { name: 'gone', rules: ['state (gone/…)'] },
          { name: 'child', rules: ['state (child/…)'] },
        ],
      },
    ]);
    const of = (name: string): Json => events.find(([, data]) => data.name === name)![1];
    expect(of('book')).toEqual({
      number: expect.any(Number),
      upstream: 'web',
      method: 'tools/call',
      name: 'book',
      status: 200,
      outcome: 'ok',
      at: expect.any(Number),
      milliseconds: expect.any(Number),
      requestSize: expect.any(Number),
      answerSize: 72,
      fields: [...Object.keys(ENVELOPE), keys.ACCEPT_LANGUAGE, keys.TRACEPARENT],
      disclosed: ['language'],
      withheld: ['trace'],
      cached: false,
    });
    expect([of('fails').outcome, of('no such').outcome]).toEqual(['tool-error', 'rpc-error']);
    expect(events.filter(([, { method }]) => method === 'tools/list').map(([, { cached }]) => cached)).toEqual([false, true]);
    expect(events.find(([, { upstream: at, status }]) => at === 'gone' && status === 502)![1].outcome).toBe('upstream');
  });

  test('gives a reader that comes again only what it has not seen', async () => {
    await call('tools/call', { name: 'seen' });
    const all = await feed(({ name }) => name === 'seen');
    const { number } = all.find(([, { name }]) => name === 'seen')![1];
    await call('tools/call', { name: 'unseen' });
    const later = await feed(({ name }) => name === 'unseen', { ...asOperator, 'last-event-id': String(number) });
    expect(later.map(([, { name }]) => name)).toEqual([undefined, 'unseen']);
  });

  test('shortens names, and leaves out fields beyond 64: a client may choose endless ones', async () => {
    const more = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`example.com/${at}${'x'.repeat(400)}`, 1]));
    await call('tools/call', { name: `long${'n'.repeat(5_000)}`, _meta: more });
    const [, record] = (await feed(({ name }) => name?.startsWith('long'))).at(-1)!;
    expect([record.name.length, record.fields.length]).toEqual([301, 64]);
    expect(Math.max(...record.fields.map((field: string) => field.length))).toBe(301);
  });

  test('keeps at most 16 MB for readers that come later', async () => {
    const bodies = await startGateway({
      feed: 'bodies',
      admin: { listen: '127.0.0.1:0', token: TOKEN },
      upstreams: { web: { url, revision: '2026-07-28' } },
    });
    for (let at = 0; at < 6; at++) await call('tools/call', { name: `big${at}`, padding: 'x'.repeat(3_000_000) }, { base: bodies.base });
    const names = (await feed(({ name }) => name === 'big5', asOperator, bodies)).map(([, { name }]) => name);
    expect(names).toEqual([undefined, 'big4', 'big5']);
    await bodies.close();
  });

  test('holds bodies only with `feed: bodies`: as they came, as they went on, and the answer', async () => {
    const bodies = await startGateway({
      feed: 'bodies',
      admin: { listen: '127.0.0.1:0', token: TOKEN },
      upstreams: { web: { url, revision: '2026-07-28', policy: { language: 'never' } } },
    });
    await call('tools/call', { name: 'a', _meta: { [keys.ACCEPT_LANGUAGE]: 'de' } }, { base: bodies.base });
    const [, [, record]] = (await feed(({ name }) => name === 'a', asOperator, bodies)) as [unknown, [string, Json]];
    expect([record.request.includes('"de"'), record.sent.includes('"de"')]).toEqual([true, false]);
    expect(record.answer).toBe('{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[]}}');
    await bodies.close();
  });
});

test('/metrics counts requests, errors by kind, durations, children, cache hits and withheld fields', async () => {
  const text = async (): Promise<string> => (await admin('/metrics')).text();
  const value = (all: string, line: string): number =>
    Number(
      all
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.split(' ')[1] ?? 0,
    );
  const rows = {
    'waybill_gateway_requests_total{upstream="web",method="tools/call"}': 3,
    'waybill_gateway_requests_total{upstream="web",method="other"}': 1,
    'waybill_gateway_errors_total{upstream="web",method="tools/call",kind="tool-error"}': 1,
    'waybill_gateway_errors_total{upstream="gone",method="tools/call",kind="upstream"}': 1,
    'waybill_gateway_request_duration_seconds_count{upstream="web",method="tools/call"}': 3,
    'waybill_gateway_cache_hits_total{upstream="web",method="tools/list"}': 1,
    'waybill_gateway_withheld_fields_total{upstream="web",method="tools/call",field="trace"}': 1,
    'waybill_gateway_child_starts{upstream="child"}': 1,
  };
  await call('tools/list');
  const before = await text();
  await call('tools/call', { name: 'a', _meta: { [keys.TRACEPARENT]: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } });
  await call('tools/call', { name: 'fails' });
  await call('tools/call', { name: 'a' });
  await call('tools/call', { name: 'a' }, { path: '/gone/mcp' });
  await call('tools/call', { name: 'a' }, { path: '/child/mcp' });
  await call('tools/list');
  await call('a/method/that/a/client/made/up', { name: 'x' });
  const after = await text();
  expect(Object.fromEntries(Object.keys(rows).map((row) => [row, value(after, row) - value(before, row)]))).toEqual(rows);
  expect(after).toContain('waybill_gateway_children{upstream="child"} 0');
  expect(after).toContain('# TYPE waybill_gateway_in_flight gauge');
  expect(after).not.toContain('made/up');
  // Metrics of prom-client itself.
  expect(after).toContain('process_resident_memory_bytes');
});
