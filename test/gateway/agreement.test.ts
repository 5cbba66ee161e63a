/** Headers that mirror parts of the body: they agree when a request arrives, and when it leaves. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from 'waybill';
import { startGateway } from './through.js';

interface Seen {
  readonly headers: IncomingHttpHeaders;
  readonly meta: Record<string, unknown>;
}

const seen: Seen[] = [];
const upstream = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  request.on('end', () => {
    const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: { _meta: Record<string, unknown> } };
    if (method !== 'server/discover') seen.push({ headers: request.headers, meta: params._meta });
    const result =
      method === 'server/discover'
        ? { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'public' }
        : { resultType: 'complete', content: [] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
});
const gateways: Awaited<ReturnType<typeof startGateway>>[] = [];
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`;
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  upstream.closeAllConnections();
  upstream.close();
});

async function open(settings: object = {}): Promise<string> {
  const gateway = await startGateway({ upstreams: { s: { url, ...settings } } });
  gateways.push(gateway);
  return new URL('/s/mcp', gateway.base).href;
}

const ENVELOPE = { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {} };
const HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'book',
};

async function send(address: string, body: string, headers: Record<string, string>) {
  const response = await fetch(address, { method: 'POST', headers, body });
  const { error } = (await response.json()) as { error?: { code: number; data?: { header?: string } } };
  return { status: response.status, code: error?.code, header: error?.data?.header };
}

const call = (meta: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'book', _meta: meta } });

test.each([
  ['MCP-Protocol-Version', '2025-11-25'],
  ['Mcp-Method', 'tools/list'],
  ['Mcp-Name', 'cancel'],
])('BASE-09: a request whose header %s says "%s" and its body something else reaches no upstream', async (header, value) => {
  const address = await open();
  const before = seen.length;
  const answer = await send(address, call(ENVELOPE), { ...HEADERS, [header]: value });
  expect([answer.status, answer.code, answer.header]).toEqual([400, -32020, header]);
  expect(seen.length).toBe(before);
});

test.each(['en;q=0.900', 'EN-us', 'fr-CA,fr;q=0.9, en;q=0.5', 'de,,en'])(
  'LANG-52: the preference "%s" reaches the upstream character for character, in header and body',
  async (language) => {
    const address = await open();
    const answer = await send(address, call({ ...ENVELOPE, [keys.ACCEPT_LANGUAGE]: language }), {
      ...HEADERS,
      'Accept-Language': language,
    });
    expect(answer.status).toBe(200);
    expect([seen.at(-1)?.headers['accept-language'], seen.at(-1)?.meta[keys.ACCEPT_LANGUAGE]]).toEqual([language, language]);
  },
);

test('LANG-53: a preference that the gateway fills in or withholds changes in header and body', async () => {
  const filling = await open({ language: { from: ['header'], default: 'en' } });
  await send(filling, call(ENVELOPE), { ...HEADERS, 'Accept-Language': 'de-AT' });
  expect([seen.at(-1)?.headers['accept-language'], seen.at(-1)?.meta[keys.ACCEPT_LANGUAGE]]).toEqual(['de-AT', 'de-AT']);
  const withholding = await open({ policy: { language: 'never' } });
  await send(withholding, call({ ...ENVELOPE, [keys.ACCEPT_LANGUAGE]: 'de' }), { ...HEADERS, 'Accept-Language': 'de' });
  expect([seen.at(-1)?.headers['accept-language'], seen.at(-1)?.meta[keys.ACCEPT_LANGUAGE]]).not.toContain('de');
});

test('IX-15, D-19: of several faults the first is told: JSON, shape, base headers, language, envelope, capabilities', async () => {
  const address = await open({ tools: { requires: { book: { elicitation: { form: {} } } }, unmet: 'refuse' } });
  const before = seen.length;
  const language = { [keys.ACCEPT_LANGUAGE]: 'de' };
  const wrong = { ...HEADERS, 'Mcp-Method': 'tools/list', 'Accept-Language': 'fr' };
  const agreed = { ...HEADERS, 'Accept-Language': 'de' };
  expect(await send(address, '{"jsonrpc"', wrong)).toMatchObject({ status: 400, code: -32700 });
  expect(await send(address, `[${call(language)}]`, wrong)).toMatchObject({ status: 400, code: -32600 });
  expect(await send(address, call(language), wrong)).toMatchObject({ status: 400, code: -32020, header: 'Mcp-Method' });
  expect(await send(address, call(language), { ...agreed, 'Accept-Language': 'fr' })).toMatchObject({
    code: -32020,
    header: 'Accept-Language',
  });
  expect(await send(address, call(language), agreed)).toMatchObject({ status: 400, code: -32602 });
  expect(await send(address, call({ ...ENVELOPE, ...language }), agreed)).toMatchObject({ status: 400, code: -32021 });
  expect(seen.length).toBe(before);
});
