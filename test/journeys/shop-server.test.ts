/** The shop server as a program: its arguments, and each of its tools over both SDKs and transports. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { httpTransport, mirrored, peerOf, stdioTransport, type ClientKind, type Peer } from './clients.js';
import { errorOf } from './telling.js';
import type { Message } from './wire.js';

const SERVER = fileURLToPath(new URL('../../examples/shop/server.js', import.meta.url));
const TOOLS = [
  ...['context', 'set_state', 'delete_state', 'sealed_counter', 'add_to_cart', 'range', 'format', 'needs_form'],
  ...['needs_sampling_tools', 'plain_alternative', 'fail', 'progress', 'ask'],
];

const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

async function startHttp(...args: string[]): Promise<URL> {
  const child = spawn(process.execPath, [SERVER, '--http', '0', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return new URL(line);
}

describe.each([
  ['v2', 'v2-modern', 'http'],
  ['v2', 'v2-modern', 'stdio'],
  ['v2', 'v1', 'stdio'],
  ['v1', 'v2-legacy', 'http'],
  ['v1', 'v1', 'stdio'],
] as const)('SDK %s, %s client, %s', (sdk, kind: ClientKind, transport) => {
  let client: Peer;
  beforeAll(async () => {
    client = peerOf(kind, { capabilities: { elicitation: { form: {} } } });
    client.onElicit(({ message }) => ({ action: 'accept', content: { colour: message as string } }));
    const over =
      transport === 'http'
        ? httpTransport(kind, await startHttp('--sdk', sdk), mirrored())
        : stdioTransport(kind, [SERVER, '--stdio', '--sdk', sdk]);
    await client.connect(over, { timeout: 15_000 });
  });
  afterAll(() => client.close());

  const call = (name: string, args: Message = {}, _meta: Message = {}): Promise<Message> =>
    client.callTool({ name, arguments: args, _meta });
  const data = async (name: string, args?: Message, meta?: Message): Promise<any> => (await call(name, args, meta))['structuredContent'];

  test('it lists its tools, prompts and resources, with titles in the requested language', async () => {
    expect((await client.allTools()).map(({ name }) => name)).toEqual(expect.arrayContaining(TOOLS));
    const { tools, _meta } = await client.request('tools/list', { _meta: { [keys.ACCEPT_LANGUAGE]: 'de-AT' } });
    expect([tools.find(({ name }: Message) => name === 'fail').title, _meta[keys.CONTENT_LANGUAGE]]).toEqual(['Scheitern', 'de']);
    const names = async (method: string, list: string): Promise<string[]> =>
      (await client.request(method))[list].map(({ name }: Message) => name);
    expect(await names('prompts/list', 'prompts')).toEqual(['greeting']);
    expect(await names('resources/list', 'resources')).toEqual(['terms']);
    expect(await names('resources/templates/list', 'resourceTemplates')).toEqual(['doc']);
  });

  test('the tool context shows everything a handler sees', async () => {
    const context = {
      ...{ timezone: 'Europe/Vienna', currentTimestamp: '2026-10-25T02:30:00+01:00', locale: 'de-AT' },
      userLocation: { city: 'Wien', country: 'AT' },
    };
    const parent = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
    const seen = await data('context', {}, { [keys.ACCEPT_LANGUAGE]: 'zh-TW', [keys.CLIENT_CONTEXT]: context, ...parent });
    expect(seen).toMatchObject({
      language: { chosen: 'zh-Hant', preference: 'zh-TW', matched: true },
      environment: {
        ...{ now: context.currentTimestamp, timezone: 'Europe/Vienna', locale: 'de-AT', location: context.userLocation },
        given: { timezone: 'Europe/Vienna', locale: 'de-AT', now: context.currentTimestamp, location: context.userLocation },
      },
      trace: { parent },
      capabilities: { elicitation: { form: {} } },
      issues: [],
    });
    const bare = await data('context');
    expect(bare).toMatchObject({ language: { chosen: 'en', preference: null }, environment: { timezone: 'UTC', locale: 'en', given: {} } });
    expect(Object.keys(bare).sort()).toEqual(['capabilities', 'environment', 'issues', 'language', 'state', 'trace']);
  });

  test('CTX-08, CTX-09: range reads the phrase in the user’s zone and from the user’s now; format writes like the user', async () => {
    const tokyo = { [keys.CLIENT_CONTEXT]: { timezone: 'Asia/Tokyo', currentTimestamp: '2026-03-01T00:30:00+09:00', locale: 'en-GB' } };
    expect(await data('range', { text: 'last month' }, tokyo)).toEqual({ start: '2026-01-31T15:00:00Z', end: '2026-02-28T15:00:00Z' });
    expect(await data('range', { text: 'the moon' }, tokyo)).toEqual({ none: true });
    const vienna = { [keys.CLIENT_CONTEXT]: { timezone: 'Europe/Vienna', locale: 'de-AT' } };
    const written = await data('format', { date: '2026-03-10T23:30:00Z', number: 1234.5, currency: 'EUR' }, vienna);
    expect(written.date).toContain('11');
    expect(written.number.replaceAll(/\s/g, ' ')).toBe('1 234,5');
    expect(written.currency).toMatch(/€.*1\s?\.?234,50/);
  });

  test('CAP-15, D-13: tools that need more than the request declares are refused, and their stand-ins are named', async () => {
    expect(await data('needs_form')).toEqual({ can: true });
    const refused: any = await call('needs_sampling_tools').catch(errorOf);
    expect([refused.code, refused.data]).toEqual([-32021, { requiredCapabilities: { sampling: { tools: {} } } }]);
    expect(await data('plain_alternative')).toEqual({ plain: true });
  });

  test('LANG-20, LANG-23: fail answers in the user’s language, as a result and as an error', async () => {
    const german = { [keys.ACCEPT_LANGUAGE]: 'de' };
    const { content, isError, _meta } = await call('fail', { kind: 'tool' }, german);
    expect([content[0].text, isError, _meta[keys.CONTENT_LANGUAGE]]).toEqual(['Das hat nicht geklappt.', true, 'de']);
    const thrown: any = await call('fail', { kind: 'protocol' }, german).catch(errorOf);
    expect([thrown.code, thrown.data._meta[keys.CONTENT_LANGUAGE]]).toEqual([1, 'de']);
    expect(thrown.message).toContain('Das hat nicht geklappt.');
  });

  test('LANG-06: progress and ask use the language of their request', async () => {
    expect(await data('progress', { steps: 2 }, { [keys.ACCEPT_LANGUAGE]: 'fr' })).toEqual({ steps: 2 });
    expect(await data('ask', {}, { [keys.ACCEPT_LANGUAGE]: 'fr' })).toEqual({ colour: 'Quelle couleur aimez-vous ?' });
  });

  test('prompts and resources use it too', async () => {
    const _meta = { [keys.ACCEPT_LANGUAGE]: 'ar' };
    const { messages } = await client.request('prompts/get', { name: 'greeting', _meta });
    expect(messages[0].content.text).toMatch(/\p{Script=Arabic}/u);
    const { contents } = await client.request('resources/read', { uri: 'doc://terms', _meta });
    expect(contents[0].text).toMatch(/\p{Script=Arabic}/u);
    expect((await client.request('resources/read', { uri: 'doc://7', _meta }))['contents'][0].text).toContain('7');
  });
});

describe('flags', { concurrent: true }, () => {
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const ask = async (
    url: URL,
    method: string,
    params: Message,
    headers: Message = {},
    beside: Message = {},
  ): Promise<[number, any, Headers]> => {
    const _meta = { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {}, ...params['_meta'] };
    const named: Message = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params['name'] && { 'mcp-name': params['name'] }),
    };
    const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta }, ...beside };
    const response = await fetch(url, { method: 'POST', headers: { ...json, ...named, ...headers }, body: JSON.stringify(body) });
    return [response.status, await response.json(), response.headers];
  };
  const context = { name: 'context', arguments: {} };

  test('--strict refuses malformed context with its path', async () => {
    const url = await startHttp('--strict');
    const [status, { error }] = await ask(url, 'tools/call', { ...context, _meta: { [keys.CLIENT_CONTEXT]: { locale: 'de_AT' } } });
    expect([status, error.code, error.data.path]).toEqual([400, -32602, `${keys.CLIENT_CONTEXT}.locale`]);
  });

  test('--wire seed answers a language mismatch with the seed’s code', async () => {
    const url = await startHttp('--wire', 'seed');
    const [status, { error }] = await ask(
      url,
      'tools/call',
      { ...context, _meta: { [keys.ACCEPT_LANGUAGE]: 'fr' } },
      { 'accept-language': 'de' },
    );
    expect([status, error.code]).toEqual([400, -32005]);
    const [, { result }] = await ask(url, 'tools/call', context, {}, { clientContext: { timezone: 'Asia/Tokyo' } });
    expect(result.structuredContent.environment.timezone).toBe('Asia/Tokyo');
  });

  test('--filter declared lists the tools that the request can use; --cache-lists does not change any answer', async () => {
    const url = await startHttp('--filter', 'declared', '--cache-lists');
    const names = async (capabilities: object): Promise<string[]> => {
      const [, { result }] = await ask(url, 'tools/list', { _meta: { [keys.CLIENT_CAPABILITIES]: capabilities } });
      expect(result.cacheScope).toBe('private');
      return result.tools.map(({ name }: Message) => name);
    };
    for (let twice = 0; twice < 2; twice++) {
      expect(await names({})).not.toContain('needs_form');
      expect(await names({})).toContain('plain_alternative');
      expect(await names({ elicitation: {}, sampling: { tools: {} } })).toEqual(
        expect.arrayContaining(['needs_form', 'needs_sampling_tools']),
      );
      expect(await names({ sampling: { tools: {} } })).not.toContain('plain_alternative');
    }
  });

  test('on 2025-11-25 over HTTP: v1 has sessions and reports the end of one; without a session both say that they cannot ask', async () => {
    const call = async (url: URL, meta: Message, headers: Message = {}): Promise<[number, any]> => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask', arguments: {}, _meta: meta } };
      const response = await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
      const text = await response.text();
      return [response.status, JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text)];
    };
    const [v1, v2] = await Promise.all([startHttp('--sdk', 'v1'), startHttp()]);
    expect((await call(v1, {}, { 'mcp-session-id': 'gone' }))[0]).toBe(404);
    const [status, { error }] = await call(v2, {});
    expect([status, error.code]).toEqual([200, -32021]);
    const meta = { [keys.ACCEPT_LANGUAGE]: 'de', [keys.OWN_CLIENT_CAPABILITIES]: { elicitation: {} } };
    for (const url of [v1, v2]) {
      const [, { error: refused }] = await call(url, meta, { 'accept-language': 'de' });
      expect([refused.code, refused.message]).toEqual([-32021, expect.stringContaining('cannot carry a request back')]);
    }
  });

  test.each(['v1', 'v2'])('SDK %s: the server goes on after a wrong address and after a sender who left', async (sdk) => {
    const url = await startHttp('--sdk', sdk);
    const [bad, cut] = [
      'GET // HTTP/1.1\r\nHost: x\r\n\r\n',
      'POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"js',
    ];
    for (const text of [bad, cut]) {
      const socket = connect(Number(url.port), url.hostname);
      socket.write(text, () => (text === cut ? socket.destroy() : socket.end()));
      await once(socket.resume(), 'close');
    }
    expect((await fetch(new URL('/elsewhere', url))).status).toBe(404);
    expect((await fetch(url)).status).toBe(405);
  });

  test('CTX-21: --stdio moves the literal member into _meta before a line is dropped', async () => {
    for (const sdk of ['v1', 'v2']) {
      const child = spawn(process.execPath, [SERVER, '--stdio', '--sdk', sdk], { stdio: ['pipe', 'pipe', 'inherit'] });
      children.push(child);
      const lines = createInterface(child.stdout);
      const call = (message: object): Promise<any> => {
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })}\n`);
        return once(lines, 'line').then(([line]) => JSON.parse(line as string));
      };
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      expect((await call({ method: 'initialize', params })).result.capabilities.extensions[keys.EXTENSION_ID]).toMatchObject({
        lifts: true,
      });
      const { result } = await call({ method: 'tools/call', params: context, clientContext: { timezone: 'Asia/Tokyo' } });
      expect(result.structuredContent.environment.timezone).toBe('Asia/Tokyo');
      child.stdin.end();
      await once(child, 'close');
    }
  });
});
