import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clientContext, type PolicyClientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import { policy, type Policy, type PolicyRules } from 'waybill/client/policy';
import * as hosts from 'waybill/hosts';
import { contextOf, serverContext } from 'waybill/server';
import { Internet, plain, serve, visit } from '../state/internet.js';
import { disclosed } from '../support/disclosed.js';
import { modern, rig } from '../support/client-rig.js';
import { CELLS, nameOf, open } from './harness.js';
import type { Message } from './wire.js';

/** The fields that each server gets, as seen from the wire by an observer that shares no code with the policy. */

const CONTEXT = 'io.modelcontextprotocol/clientContext';
const LANGUAGE = 'io.modelcontextprotocol/acceptLanguage';
const TRACE = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
const PLACE = { city: 'Vienna', region: 'Vienna', country: 'AT', coordinates: { latitude: 48.2, longitude: 16.37 } };
const GIVEN = { language: ['de'], environment: { timezone: 'Europe/Vienna', locale: 'de-AT', location: PLACE }, trace: 'start' } as const;

async function counted(waybill: PolicyClientContext, server?: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { field, outcome, count } of await waybill.ledger.list(server === undefined ? {} : { server }))
    if (outcome === 'sent') counts[field] = (counts[field] ?? 0) + count;
  return counts;
}
function tallied(all: readonly ReadonlySet<string>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const fields of all) for (const field of fields) counts[field] = (counts[field] ?? 0) + 1;
  return counts;
}

describe('two servers under different policies', () => {
  const rules: Policy = {
    default: { language: 'never' },
    servers: {
      open: { language: 'always', location: 'city' },
      closed: {
        language: 'never',
        timezone: 'never',
        now: 'never',
        locale: 'never',
        location: 'never',
        trace: 'never',
        capabilities: 'never',
      },
    },
  };
  it.each(CELLS.map((cell) => [nameOf(cell), cell] as const))('%s: each gets what its rule says (D-20)', async (_, cell) => {
    const waybill = clientContext({ ...GIVEN, policy: policy(rules) });
    const journeys = await Promise.all(
      ['open', 'closed'].map((server) =>
        open(cell, {
          client: { transport: (transport: any) => waybill.attach(transport, { server }) },
          options: { capabilities: { roots: {} } },
        }),
      ),
    );
    const [first, second] = journeys as [(typeof journeys)[0], (typeof journeys)[0]];
    const own = { [LANGUAGE]: 'fr', [CONTEXT]: { timezone: 'Asia/Tokyo' }, traceparent: TRACE, b3: '1' };
    for (const { client } of journeys) {
      await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
      await client.callTool({ name: 'echo', arguments: { text: 'own' }, _meta: own });
    }
    const calls = (journey: typeof first): Message[] => journey.wire().sent.filter(({ method }) => method === 'tools/call');
    expect(calls(first).map((message) => disclosed(message).has('language'))).toEqual([true, true]);
    expect(calls(first)[0]?.['params']._meta[CONTEXT]).toMatchObject({ timezone: 'Europe/Vienna', userLocation: { city: 'Vienna' } });
    expect(calls(first)[0]?.['params']._meta[CONTEXT].userLocation).not.toHaveProperty('coordinates');
    for (const message of second.wire().sent) expect([message['method'], [...disclosed(message)]]).toEqual([message['method'], []]);
    for (const { headers } of second.wire().http ?? []) expect([...disclosed(undefined, headers)]).toEqual([]);
    await Promise.all(journeys.map((journey) => journey.close()));
  });
});

describe('properties', () => {
  const level = fc.constantFrom('always', 'ask', 'never');
  const rules: fc.Arbitrary<PolicyRules> = fc.record(
    {
      language: level,
      timezone: level,
      now: level,
      locale: level,
      location: fc.constantFrom('always', 'ask', 'never', 'country', 'region', 'city', 'coordinates'),
      state: level,
      trace: level,
      baggage: fc.constantFrom('always', 'ask', 'never', ['a']),
      capabilities: fc.constantFrom('always', 'ask', 'never', 'minimal'),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<PolicyRules>;
  const context = fc.record(
    {
      timezone: fc.constant('Asia/Tokyo'),
      currentTimestamp: fc.constant('2026-01-01T00:00:00+09:00'),
      locale: fc.constant('ja'),
      userLocation: fc.constant(PLACE),
    },
    { requiredKeys: [] },
  );
  const meta = fc.record(
    {
      [LANGUAGE]: fc.constant('fr'),
      [CONTEXT]: context,
      'openai/locale': fc.constant('fr'),
      'openai/userLocation': fc.constantFrom({ city: 'Paris' }, { timezone: 'Europe/Paris' }, { country: 'FR', timezone: 'Europe/Paris' }),
      'http://modelcontextprotocol.io/state/server': fc.constant({ x: 1 }),
      traceparent: fc.constant(TRACE),
      tracestate: fc.constant('a=1'),
      baggage: fc.constantFrom('a=1', 'b=2', 'a=1,b=2'),
      'uberctx-a': fc.constant('1'),
      b3: fc.constant('1'),
      'x-b3-traceid': fc.constant('1'),
    },
    { requiredKeys: [] },
  );
  const message = fc.record({ meta, kind: fc.constantFrom('call', 'list', 'notification', 'result', 'sibling', 'inner'), context });
  const build = ({ meta: own, kind, context: beside }: { meta: object; kind: string; context: object }, id: number): Message => {
    if (kind === 'notification') return { jsonrpc: '2.0', method: 'notifications/x', params: { _meta: own } };
    if (kind === 'result') return { jsonrpc: '2.0', id: `s${id}`, result: { _meta: own } };
    const params = { ...modern({ name: 'x', _meta: own }, { roots: {} }), ...(kind === 'inner' && { clientContext: beside }) };
    return {
      jsonrpc: '2.0',
      id,
      method: kind === 'list' ? 'tools/list' : 'tools/call',
      params,
      ...(kind === 'sibling' && { clientContext: beside }),
    };
  };
  const kept = (given: PolicyRules): string[] =>
    Object.entries(given).flatMap(([field, one]) => (one === 'never' || one === 'ask' ? [field] : []));

  it('nothing marked never leaves, whoever wrote it, and the ledger equals what an observer counted, in memory (D-20)', async () => {
    const server = (): Message => ({ _meta: { 'modelcontextprotocol.io/state/server': { cart: 1 } } });
    await fc.assert(
      fc.asyncProperty(rules, rules, fc.array(message, { maxLength: 6 }), async (exact, base, messages) => {
        const options = { ...GIVEN, state: jar(), baggage: ['a', 'b'], policy: policy({ default: base, servers: { shop: exact } }) };
        const { waybill, transport, sent } = rig(options, server, { server: 'shop' });
        for (const [id, one] of messages.entries()) await transport.send(build(one, id));
        const seen = sent.map((one) => disclosed(one));
        const never = kept({ ...base, ...exact });
        for (const fields of seen) expect([...fields].filter((field) => never.includes(field))).toEqual([]);
        expect(await counted(waybill as PolicyClientContext, 'shop')).toEqual(tallied(seen));
      }),
      { numRuns: 300 },
    );
  });

  it('the same over HTTP, with headers of the application, through attach and through fetch (D-20)', async () => {
    const headers = fc.record(
      {
        'Accept-Language': fc.constantFrom('it', '*'),
        TraceParent: fc.constant(TRACE),
        'X-B3-TraceId': fc.constant('1'),
        baggage: fc.constant('a=1,b=2'),
        'X-Api-Key': fc.constant('k'),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        rules,
        fc.array(meta, { maxLength: 3 }),
        headers,
        fc.boolean(),
        fc.constantFrom<true | undefined>(true, undefined),
        async (given, metas, extra, isAttached, mirror) => {
          const seen: Set<string>[] = [];
          const internet = new Internet();
          internet.site('shop.example.com', serve(plain));
          const observed = (url: string | URL, init: RequestInit = {}): Promise<Response> => {
            const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Message) : undefined;
            seen.push(disclosed(body, Object.fromEntries(new Headers(init.headers))));
            return internet.fetch(url, init);
          };
          const waybill = clientContext({
            ...GIVEN,
            baggage: ['a', 'b'],
            ...(mirror && { mirror: 'always' as const }),
            policy: policy({ servers: { '*.example.com': given } }),
            onIssue: () => undefined,
          });
          const client = new Client(
            { name: 'guest', version: '1.0.0' },
            { versionNegotiation: { mode: 'auto' }, capabilities: { roots: {} } },
          );
          const fetch = isAttached ? observed : waybill.fetch(observed);
          const transport = new StreamableHTTPClientTransport(new URL('https://shop.example.com/mcp'), {
            fetch,
            requestInit: { headers: extra },
          });
          await client.connect(isAttached ? waybill.attach(transport) : transport);
          for (const own of metas) await client.callTool({ name: 'seen', arguments: {}, _meta: own });
          await client.close();
          const never = kept(given);
          for (const fields of seen) expect([...fields].filter((field) => never.includes(field))).toEqual([]);
          expect(await counted(waybill)).toEqual(tallied(seen));
        },
      ),
      { numRuns: 60 },
    );
  });
});

it.each([{}, { language: ['de'] }])(
  'a header of the application that is withheld is in the ledger, once for each request: %j (D-20)',
  async (given) => {
    const internet = new Internet();
    internet.site('shop.example.com', serve(plain));
    const waybill = clientContext({ ...given, state: jar(), policy: policy({ default: { language: 'never' } }) });
    const requestInit = { headers: { 'Accept-Language': 'it' } };
    const { client, call } = await visit(internet, 'https://shop.example.com/mcp', {}, { requestInit }, waybill);
    await call('seen');
    await call('seen');
    await client.close();
    const withheld = (await waybill.ledger.list()).filter(({ field, outcome }) => field === 'language' && outcome === 'withheld');
    expect(withheld.map(({ count }) => count)).toEqual([internet.sent.length]);
  },
);

describe('a redirect between servers of different policies', () => {
  function moved(): { internet: Internet; headersTo: (host: string) => Record<string, string>[] } {
    const internet = new Internet();
    const [reached, there] = [new Map<string, Record<string, string>[]>(), serve(plain)];
    const note = (request: Request): void => {
      const { host } = new URL(request.url);
      reached.set(host, [...(reached.get(host) ?? []), Object.fromEntries(request.headers)]);
    };
    internet.site(
      'a.example.com',
      (request) => (note(request), new Response(null, { status: 307, headers: { location: 'https://b.example.com/mcp' } })),
    );
    internet.site('b.example.com', (request) => (note(request), there(request)));
    return { internet, headersTo: (host) => reached.get(host) ?? [] };
  }
  const at = (internet: Internet, host: string): Message[] =>
    internet.sent.filter((one) => one.host === host).map(({ body }) => body as Message);

  it.each([
    ['the second may know less', { 'https://b.example.com': { location: 'never', language: 'never' } }, true, false],
    ['the first may know less', { 'https://a.example.com': { location: 'never', language: 'never' } }, false, false],
  ] as const)('%s (D-20, D-07)', async (_, servers, first, second) => {
    const { internet, headersTo } = moved();
    const waybill = clientContext({ ...GIVEN, state: jar(), policy: policy({ servers }) });
    const { call } = await visit(
      internet,
      'https://a.example.com/mcp',
      {},
      { redirectPolicy: 'follow', requestInit: { headers: { 'Accept-Language': 'it' } } },
      waybill,
    );
    await call('seen');
    const tells = (host: string): boolean[] =>
      at(internet, host)
        .filter(({ method }) => method === 'tools/call')
        .map((one) => disclosed(one).has('location'));
    expect([tells('a.example.com'), tells('b.example.com')]).toEqual([[first], [second]]);
    expect(headersTo('a.example.com').some((headers) => disclosed(undefined, headers).has('language'))).toBe(first);
    expect(headersTo('b.example.com').some((headers) => disclosed(undefined, headers).has('language'))).toBe(false);
    for (const host of ['a.example.com', 'b.example.com'])
      expect(await counted(waybill, `https://${host}`)).toEqual(
        tallied(at(internet, host).map((body, n) => disclosed(body, headersTo(host)[n]))),
      );
  });

  it.each([
    ['never', false],
    ['ask', false],
    ['always', true],
  ] as const)('state that the second server sets unasked is kept only if it may keep some: %s (D-20)', async (level, isKept) => {
    const internet = new Internet();
    internet.site('a.example.com', () => new Response(null, { status: 307, headers: { location: 'https://b.example.com/mcp' } }));
    const there = serve(plain);
    internet.site('b.example.com', async (request) => {
      const response = await there(request);
      if (!(response.headers.get('content-type') ?? '').includes('json')) return response;
      const body = (await response.json()) as Message;
      if (body['result']) body['result']._meta = { ...body['result']._meta, 'modelcontextprotocol.io/state/server': { planted: 1 } };
      return Response.json(body, { headers: response.headers });
    });
    const rules = policy({ servers: { 'https://b.example.com': { state: level } } }, { ask: () => 'never' });
    const waybill = clientContext({ ...GIVEN, state: jar({ hosts }), policy: rules, onIssue: () => undefined });
    const { call } = await visit(internet, 'https://a.example.com/mcp', {}, { redirectPolicy: 'follow' }, waybill);
    await call('seen');
    expect((await waybill.jar.list()).map(({ server }) => server)).toEqual(isKept ? ['b.example.com'] : []);
    expect(internet.reached('b.example.com').includes('"state":{}')).toBe(isKept);
  });

  it('a name given to fetch is not the name of the server that it leads to (D-20)', async () => {
    const { internet } = moved();
    const waybill = clientContext({
      ...GIVEN,
      policy: policy({ default: { location: 'never' }, servers: { shop: { location: 'city' } } }),
    });
    const fetch = waybill.fetch(internet.fetch, { server: 'shop' });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: modern({ name: 'seen' }) });
    await fetch('https://a.example.com/mcp', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    const tells = (host: string): boolean[] => at(internet, host).map((one) => disclosed(one).has('location'));
    expect([tells('a.example.com'), tells('b.example.com')]).toEqual([[true], [false]]);
  });

  it.each(['GET', 'DELETE'])('a %s request without a message takes along only what the second may know (D-20)', async (method) => {
    const { internet, headersTo } = moved();
    const rules = policy({ servers: { 'https://b.example.com': { language: 'never', trace: 'never' } } });
    const fetch = clientContext({ policy: rules }).fetch(internet.fetch);
    await fetch('https://a.example.com/mcp', { method, headers: { 'Accept-Language': 'it', traceparent: TRACE, 'X-Api-Key': 'k' } });
    expect(headersTo('a.example.com')[0]).toMatchObject({ 'accept-language': 'it', traceparent: TRACE, 'x-api-key': 'k' });
    expect(headersTo('b.example.com')).toHaveLength(1);
    expect(headersTo('b.example.com')[0]).not.toMatchObject({ 'accept-language': 'it' });
    expect(Object.keys(headersTo('b.example.com')[0]!)).not.toContain('traceparent');
    expect(Object.keys(headersTo('b.example.com')[0]!)).not.toContain('x-api-key');
  });

  it('the user is asked about the server that it leads to', async () => {
    const { internet } = moved();
    const prompts: unknown[] = [];
    const ask = ({ server, field }: { server: string | undefined; field: string }): 'once' => (prompts.push([server, field]), 'once');
    const waybill = clientContext({
      ...GIVEN,
      state: jar(),
      policy: policy({ servers: { 'https://b.example.com': { location: 'ask' } } }, { ask }),
    });
    const { call } = await visit(internet, 'https://a.example.com/mcp', {}, { redirectPolicy: 'follow' }, waybill);
    await call('seen');
    expect(prompts).toEqual([['https://b.example.com', 'location']]);
    expect(at(internet, 'b.example.com').some((one) => disclosed(one).has('location'))).toBe(true);
  });

  it.each(['once', 'never'] as const)(
    'the user is asked whether it may keep state, also where it has none yet: %s (D-20)',
    async (answer) => {
      const { internet } = moved();
      const prompts: unknown[] = [];
      const ask = ({ server, field }: { server: string | undefined; field: string }): typeof answer => (
        prompts.push([server, field]),
        answer
      );
      const rules = policy({ servers: { 'https://b.example.com': { state: 'ask' } } }, { ask });
      const { call } = await visit(
        internet,
        'https://a.example.com/mcp',
        {},
        { redirectPolicy: 'follow' },
        clientContext({ ...GIVEN, state: jar({ hosts }), policy: rules }),
      );
      await call('seen');
      expect(prompts[0]).toEqual(['https://b.example.com', 'state']);
      expect(internet.reached('b.example.com').includes('"state":{}')).toBe(answer === 'once');
    },
  );
});

it('a server says what it wants and why, and sees what came; withheld and absent look alike (D-37)', async () => {
  const seen: unknown[] = [];
  const layer = serverContext({ wants: { location: 'to find shops near you' } });
  const build = (): McpServer => {
    const server = new McpServer({ name: 'shop', version: '1.0.0' });
    server.registerTool('look', { inputSchema: z.looseObject({}) }, (_, ctx) => {
      seen.push(contextOf(ctx).environment.given);
      return { content: [] };
    });
    return server;
  };
  const internet = new Internet();
  const handler = layer.http(createMcpHandler(layer.attach(build)));
  internet.site('shop.example.com', async (request) => handler.fetch(request));
  const reasons: unknown[] = [];
  const ask = ({ reason }: { reason?: string }): 'never' => (reasons.push(reason), 'never');
  for (const environment of [
    { ...GIVEN.environment, now: null },
    { timezone: 'Europe/Vienna', locale: 'de-AT', now: null },
  ]) {
    const waybill = clientContext({ environment, state: jar(), policy: policy({ default: { location: 'ask' } }, { ask }) });
    const { client } = await visit(internet, 'https://shop.example.com/mcp', {}, {}, waybill);
    await client.callTool({ name: 'look', arguments: {} });
    await client.close();
  }
  expect(seen).toEqual([
    { timezone: 'Europe/Vienna', locale: 'de-AT' },
    { timezone: 'Europe/Vienna', locale: 'de-AT' },
  ]);
  expect(reasons).toEqual(['to find shops near you']);
});
