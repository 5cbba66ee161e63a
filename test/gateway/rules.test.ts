/** The rules on servers that nobody changed: what clients see, and what reaches the server. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { startGateway } from './through.js';

type Json = any;

/** A 2026 server that answers by a function and remembers what it was sent. */
async function serve(answer: (request: Json) => Json) {
  const seen: { body: Json; text: string; headers: Record<string, any> }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const body = JSON.parse(text);
      seen.push({ body, text, headers: request.headers });
      const result = body.method === 'server/discover' ? DISCOVERED : answer(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: body.id, ...result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, seen, close: () => (server.closeAllConnections(), server.close()) };
}

const DISCOVERED = {
  result: {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, extensions: { [keys.EXTENSION_ID]: { merge: ['cart'] } } },
    ttlMs: 0,
    cacheScope: 'public',
    _meta: { [keys.SERVER_INFO]: { name: 's', version: '1' } },
  },
};
const TOOLS = [
  {
    name: 'convert_time',
    title: 'Convert',
    description: 'Converts',
    inputSchema: {
      type: 'object',
      properties: { time: { type: 'string' }, source_timezone: { type: 'string', 'x-mcp-header': 'Zone' } },
      required: ['time', 'source_timezone'],
    },
  },
  { name: 'delete_all', inputSchema: { type: 'object' } },
  { name: 'book', inputSchema: { type: 'object' } },
];
const list = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'public', tools: TOOLS };
const answer = ({ method, params }: Json): Json =>
  method === 'tools/list'
    ? { result: list }
    : { result: { resultType: 'complete', content: [{ type: 'text', text: JSON.stringify(params.arguments ?? {}) }], ...set(params) } };
/** Sets state if the request says so in an argument. */
const SCOPES = { set: keys.STATE_SPELLINGS.server[0], setSession: keys.STATE_SPELLINGS.session[0] };
const set = ({ arguments: args = {} }: Json): Json => {
  const changes = Object.entries(SCOPES).flatMap(([name, key]) => (args[name] ? [[key, args[name]]] : []));
  return changes.length > 0 ? { _meta: Object.fromEntries(changes) } : {};
};

const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
writeFileSync(join(folder, 'en.json'), JSON.stringify({ tools: { convert_time: { title: 'Convert a time' } } }));
writeFileSync(join(folder, 'de.json'), JSON.stringify({ tools: { convert_time: { title: 'Zeit umrechnen' } } }));

let upstream: Awaited<ReturnType<typeof serve>>;
const gateways: Json[] = [];
beforeAll(async () => void (upstream = await serve(answer)));
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  upstream.close();
});

async function gateway(settings: Json, more: Json = {}) {
  const started = await startGateway({ upstreams: { s: { url: upstream.url, ...settings } }, ...more });
  gateways.push(started);
  return started;
}

let ids = 0;
async function post(
  base: string,
  method: string,
  params: Json = {},
  { meta = {}, headers = {}, capabilities = {}, path = '/s/mcp' }: Json = {},
) {
  const envelope = { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: capabilities, ...meta };
  const response = await fetch(new URL(String(path), base), {
    method: 'POST',
    headers: {
      ...{
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'accept-language': meta[keys.ACCEPT_LANGUAGE] ?? '*',
      },
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(params.name && { 'mcp-name': params.name }), ...headers },
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++ids, method, params: { ...params, _meta: envelope } }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
const last = (): Json => upstream.seen.at(-1);
const metaOf = (): Json => last().body.params._meta;

describe('language', () => {
  test('LANG-30, LANG-62: titles come from the catalogue, with the language, Vary and the right cache scope', async () => {
    const { base } = await gateway({ language: { from: ['meta', 'header'], default: 'en', catalogs: folder } });
    const german = await post(base, 'tools/list', {}, { meta: { [keys.ACCEPT_LANGUAGE]: 'de-AT' } });
    expect(german.body.result.tools.map(({ title }: Json) => title)).toEqual(['Zeit umrechnen', undefined, undefined]);
    expect(german.body.result._meta[keys.CONTENT_LANGUAGE]).toBe('de');
    expect([german.headers.get('content-language'), german.headers.get('vary')]).toEqual(['de', 'Accept-Language']);
    expect(metaOf()[keys.ACCEPT_LANGUAGE]).toBe('de-AT');
    expect(last().headers['accept-language']).toBe('de-AT');
    // From the header alone; `*` is nobody's wish.
    const header = await post(base, 'tools/list', {}, { headers: { 'accept-language': 'de' } });
    expect(header.body.result.tools[0].title).toBe('Zeit umrechnen');
    const star = await post(base, 'tools/list');
    expect([star.body.result.tools[0].title, metaOf()[keys.ACCEPT_LANGUAGE]]).toEqual(['Convert a time', 'en']);
  });

  test('a folder without a file of the default language is refused with the file to add', async () => {
    await expect(gateway({ language: { default: 'fr', catalogs: folder } })).rejects.toThrow(
      `upstreams.s.language.catalogs: the default language has no file; add ${join(folder, 'fr.json')} with {} if the server's own texts are French`,
    );
  });

  test('IX-01: lists are kept for each language, and only public ones without a principal', async () => {
    const { base } = await gateway({ language: { default: 'en', catalogs: folder } });
    const ask = (language: string) => post(base, 'tools/list', {}, { meta: { [keys.ACCEPT_LANGUAGE]: language } });
    const before = upstream.seen.length;
    const titles = [];
    for (const language of ['de', 'en', 'de', 'en']) titles.push((await ask(language)).body.result.tools[0].title);
    expect(titles).toEqual(['Zeit umrechnen', 'Convert a time', 'Zeit umrechnen', 'Convert a time']);
    // The probe, and each language once.
    expect(upstream.seen.slice(before).map(({ body }) => body.method)).toEqual(['server/discover', 'tools/list', 'tools/list']);
  });
});

describe('environment', () => {
  const settings = {
    environment: {
      defaults: { timezone: 'Europe/Vienna', locale: 'de-AT' },
      fill: { convert_time: { source_timezone: { from: 'timezone', hide: true } } },
    },
  };

  test('CTX-31: defaults are filled in where the client says nothing, and never `now`', async () => {
    const { base } = await gateway(settings);
    await post(base, 'tools/call', { name: 'book' }, { meta: { [keys.CLIENT_CONTEXT]: { locale: 'fr-FR' } } });
    expect(metaOf()[keys.CLIENT_CONTEXT]).toEqual({ locale: 'fr-FR', timezone: 'Europe/Vienna' });
  });

  test('a hidden argument leaves the schema, is filled, cannot be chosen by the caller, and its header follows', async () => {
    const { base } = await gateway(settings);
    const { body } = await post(base, 'tools/list');
    expect(body.result.tools[0].inputSchema).toEqual({ type: 'object', properties: { time: { type: 'string' } }, required: ['time'] });
    await post(
      base,
      'tools/call',
      { name: 'convert_time', arguments: { time: '10:00', source_timezone: 'Asia/Tokyo' } },
      { meta: { [keys.CLIENT_CONTEXT]: { timezone: 'America/Lima' } } },
    );
    expect(last().body.params.arguments).toEqual({ time: '10:00', source_timezone: 'America/Lima' });
    expect(last().headers['mcp-param-zone']).toBe('America/Lima');
  });

  test('an explicit argument wins unless the parameter is hidden', async () => {
    const { base } = await gateway({ environment: { fill: { convert_time: { source_timezone: { from: 'timezone' } } } } });
    const call = (args: Json) =>
      post(
        base,
        'tools/call',
        { name: 'convert_time', arguments: args },
        { meta: { [keys.CLIENT_CONTEXT]: { timezone: 'America/Lima' } } },
      );
    await call({ source_timezone: 'Asia/Tokyo' });
    expect(last().body.params.arguments).toEqual({ source_timezone: 'Asia/Tokyo' });
    await call({});
    expect(last().body.params.arguments).toEqual({ source_timezone: 'America/Lima' });
  });

  test('CTX-21, D-03: the literal form is lifted into _meta', async () => {
    const { base } = await gateway({ environment: {} });
    const body = {
      jsonrpc: '2.0',
      id: 1,
      clientContext: { timezone: 'Asia/Tokyo' },
      method: 'tools/call',
      params: { name: 'book', _meta: { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {} } },
    };
    await fetch(`${base}/s/mcp`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'book' },
    });
    expect(last().body).not.toHaveProperty('clientContext');
    expect(metaOf()[keys.CLIENT_CONTEXT]).toEqual({ timezone: 'Asia/Tokyo' });
  });
});

describe('tools and capabilities', () => {
  const settings = {
    tools: { exclude: ['delete_*'], override: { convert_time: { title: 'Other' } }, requires: { book: { elicitation: { form: {} } } } },
  };

  test('CAP-10, CAP-03: tools are left out, renamed and annotated; a call without the capability gets -32021 here', async () => {
    const { base } = await gateway(settings);
    const { body } = await post(base, 'tools/list');
    expect(body.result.tools.map(({ name, title }: Json) => [name, title])).toEqual([
      ['convert_time', 'Other'],
      ['book', undefined],
    ]);
    expect(body.result.tools[1]._meta[keys.REQUIRED_CAPABILITIES]).toEqual({ elicitation: { form: {} } });
    const before = upstream.seen.length;
    const hidden = await post(base, 'tools/call', { name: 'delete_all' });
    expect(hidden.body.error).toEqual({ code: -32602, message: 'Unknown tool: delete_all' });
    const refused = await post(base, 'tools/call', { name: 'book' });
    expect([refused.status, refused.body.error.code, refused.body.error.data]).toEqual([
      400,
      -32021,
      { requiredCapabilities: { elicitation: { form: {} } } },
    ]);
    expect(upstream.seen.length).toBe(before);
    expect((await post(base, 'tools/call', { name: 'book' }, { capabilities: { elicitation: {} } })).status).toBe(200);
  });

  test('D-14: filter leaves out what the client cannot use, and makes the list private', async () => {
    const { base } = await gateway({ tools: { ...settings.tools, unmet: 'filter' } });
    const without = await post(base, 'tools/list');
    expect([without.body.result.tools.map(({ name }: Json) => name), without.body.result.cacheScope]).toEqual([
      ['convert_time'],
      'private',
    ]);
    const with_ = await post(base, 'tools/list', {}, { capabilities: { elicitation: {} } });
    expect(with_.body.result.tools.map(({ name }: Json) => name)).toEqual(['convert_time', 'book']);
  });

  test('a capability that the policy hides from the server still counts as one of the client', async () => {
    const { base } = await gateway({ tools: { ...settings.tools, unmet: 'filter' }, policy: { capabilities: 'never' } });
    const { body } = await post(base, 'tools/list', {}, { capabilities: { elicitation: {} } });
    expect(metaOf()[keys.CLIENT_CAPABILITIES]).toEqual({});
    expect(body.result.tools.map(({ name }: Json) => name)).toEqual(['convert_time', 'book']);
  });
});

describe('trace and policy', () => {
  const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const OTHER = '00-aaaa651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  test('TRACE-11: start begins a trace, join takes the header, off removes both', async () => {
    const start = await gateway({ trace: { mode: 'start' } });
    await post(start.base, 'tools/call', { name: 'book' });
    expect(metaOf().traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]$/);
    expect(last().headers.traceparent).toBe(metaOf().traceparent);
    const joined = await gateway({ trace: { mode: 'join' } });
    await post(joined.base, 'tools/call', { name: 'book' }, { headers: { traceparent: PARENT } });
    expect(metaOf().traceparent).toBe(PARENT);
    await post(joined.base, 'tools/call', { name: 'book' }, { headers: { traceparent: OTHER }, meta: { traceparent: PARENT } });
    expect([metaOf().traceparent, last().headers.traceparent]).toEqual([PARENT, PARENT]);
    const off = await gateway({ trace: { mode: 'off' } });
    await post(
      off.base,
      'tools/call',
      { name: 'book' },
      { headers: { traceparent: OTHER }, meta: { traceparent: PARENT, baggage: 'a=1' } },
    );
    expect([metaOf().traceparent, metaOf().baggage, last().headers.traceparent]).toEqual([undefined, undefined, undefined]);
  });

  test('D-20, TRACE-12: the policy coarsens, filters and strips, in body and headers; ask acts as never', async () => {
    const { base } = await gateway({ policy: { location: 'country', baggage: ['tenant.id'], timezone: 'ask', language: 'never' } });
    const place = { city: 'Linz', country: 'AT', coordinates: { latitude: 48.3, longitude: 14.2 } };
    const meta = {
      [keys.CLIENT_CONTEXT]: { timezone: 'Europe/Vienna', locale: 'de-AT', userLocation: place },
      baggage: 'tenant.id=7,secret=1',
      [keys.ACCEPT_LANGUAGE]: 'de',
      'x.test/other': 1,
    };
    await post(base, 'tools/call', { name: 'book' }, { meta, headers: { baggage: 'secret=2' } });
    expect(metaOf()[keys.CLIENT_CONTEXT]).toEqual({ locale: 'de-AT', userLocation: { country: 'AT' } });
    expect([metaOf().baggage, metaOf()[keys.ACCEPT_LANGUAGE], metaOf()['x.test/other']]).toEqual(['tenant.id=7', undefined, 1]);
    expect([last().headers.baggage, last().headers['accept-language']]).toEqual([undefined, undefined]);
  });
});

describe('state', () => {
  const SERVER = keys.STATE_SPELLINGS.server[0];
  const SESSION = keys.STATE_SPELLINGS.session[0];

  test('a client without a jar keeps a server-scope cart, and only one that declares nothing gets it', async () => {
    const { base } = await gateway({ state: { mode: 'keep', allowHosts: ['127.0.0.1'] } }, { identity: { single: true } });
    const first = await post(base, 'tools/call', { name: 'book', arguments: { set: { cart: ['tea'] } } });
    expect(first.body.result).not.toHaveProperty('_meta');
    expect(metaOf()[keys.CLIENT_CAPABILITIES]).toEqual({ state: {} });
    await post(base, 'tools/call', { name: 'book' });
    expect(metaOf()[SERVER]).toEqual({ cart: ['tea'] });
    // A client with a jar of its own is left alone.
    await post(base, 'tools/call', { name: 'book' }, { capabilities: { state: {} }, meta: { [SERVER]: { cart: ['mine'] } } });
    expect(metaOf()[SERVER]).toEqual({ cart: ['mine'] });
  });

  test('a cart in a SQLite file outlives the gateway', async () => {
    const settings = { state: { mode: 'keep', allowHosts: ['127.0.0.1'] } };
    const more = { identity: { single: true }, store: `sqlite:${join(folder, 'state.db')}` };
    const before = await startGateway({ upstreams: { s: { url: upstream.url, ...settings } }, ...more });
    await post(before.base, 'tools/call', { name: 'book', arguments: { set: { cart: ['tea'] } } });
    await before.close();
    const { base } = await gateway(settings, more);
    await post(base, 'tools/call', { name: 'book' });
    expect(metaOf()[SERVER]).toEqual({ cart: ['tea'] });
  });

  test('with two upstreams, merge and conflicts have the prefix at the client and not at the server', async () => {
    const started = await startGateway({ upstreams: { one: { url: upstream.url }, two: { url: upstream.url } } });
    gateways.push(started);
    const { body } = await post(started.base, 'server/discover', {}, { path: '/one/mcp' });
    expect(body.result.capabilities.extensions[keys.EXTENSION_ID].merge).toEqual(['one/cart']);
    const meta = {
      [SERVER]: { 'one/cart': 2, 'two/cart': 4 },
      [keys.STATE_CONFLICTS]: { server: { 'one/cart': [1, 2], 'two/cart': [3, 4] } },
    };
    await post(started.base, 'tools/call', { name: 'book' }, { path: '/one/mcp', capabilities: { state: {} }, meta });
    expect([metaOf()[SERVER], metaOf()[keys.STATE_CONFLICTS]]).toEqual([{ cart: 2 }, { server: { cart: [1, 2] } }]);
  });

  test('session state follows the conversation key, and is dropped without one', async () => {
    const told: string[] = [];
    const upstreams = { s: { url: upstream.url, state: { mode: 'keep', conversation: 'openai/session', allowHosts: ['127.0.0.1'] } } };
    const started = await startGateway({ identity: { single: true }, upstreams }, { log: (line) => void told.push(line) });
    gateways.push(started);
    const { base } = started;
    const call = (conversation: string | undefined, args: Json = {}) =>
      post(base, 'tools/call', { name: 'book', arguments: args }, conversation ? { meta: { 'openai/session': conversation } } : {});
    await call('a', { setSession: { step: 1 } });
    await call('a');
    expect(metaOf()[SESSION]).toEqual({ step: 1 });
    await call('b', { setSession: { step: 2 } });
    expect(metaOf()[SESSION]).toBeUndefined();
    await call('a');
    expect(metaOf()[SESSION]).toEqual({ step: 1 });
    expect(told.join()).not.toContain('dropped');
    await call(undefined, { setSession: { step: 3 } });
    expect(told).toContain('s: state: session state is dropped, since nothing names the conversation');
    await call(undefined);
    expect(metaOf()[SESSION]).toBeUndefined();
  });

  test('keep without a known user is refused at the start', async () => {
    await expect(startGateway({ upstreams: { s: { url: upstream.url, state: { mode: 'keep' } } } })).rejects.toThrow(
      /upstreams\.s\.state: `keep` needs a known user/,
    );
  });

  test('off removes state and its declaration', async () => {
    const { base } = await gateway({ state: { mode: 'off' } });
    const { body } = await post(
      base,
      'tools/call',
      { name: 'book', arguments: { set: { a: 1 } } },
      { capabilities: { state: {}, elicitation: {} }, meta: { [SERVER]: { b: 2 } } },
    );
    expect([metaOf()[SERVER], metaOf()[keys.CLIENT_CAPABILITIES]]).toEqual([undefined, { elicitation: {} }]);
    expect(body.result).not.toHaveProperty('_meta');
  });

  test('STATE-44, property: two upstreams, two users, one aware client: state never meets', async () => {
    const other = await serve(answer);
    const started = await startGateway({ upstreams: { one: { url: upstream.url }, two: { url: other.url } } });
    gateways.push(started);
    const seenBy = { one: upstream.seen, two: other.seen };
    const step = fc.record({
      user: fc.constantFrom('ann', 'bob'),
      at: fc.constantFrom('one' as const, 'two' as const),
      name: fc.constantFrom('cart', 'one/cart', 'two/x'),
      value: fc.integer(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        // One drawer for each user, as a client has it, and what each server should know of each user.
        const jars: Json = { ann: {}, bob: {} };
        const expected: Json = { one: { ann: {}, bob: {} }, two: { ann: {}, bob: {} } };
        for (const { user, at, name, value } of steps) {
          const carried = Object.keys(jars[user]).length > 0 ? { [SERVER]: jars[user] } : {};
          const { body } = await post(
            started.base,
            'tools/call',
            { name: 'book', arguments: { set: { [name]: value } } },
            { path: `/${at}/mcp`, capabilities: { state: {} }, meta: carried },
          );
          expect(seenBy[at].at(-1)!.body.params._meta[SERVER] ?? {}).toEqual(expected[at][user]);
          const changes = body.result._meta[SERVER];
          expect(Object.keys(changes)).toEqual([`${at}/${name}`]);
          Object.assign(jars[user], changes);
          expected[at][user][name] = value;
        }
      }),
      { numRuns: 25 },
    );
    other.close();
  });
});
