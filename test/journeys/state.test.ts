import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys, type Issue } from 'waybill';
import { clientContext, type ClientContextOptions, type StatefulClientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import { stdioIdentity } from 'waybill/client/node';
import { SHOP, serveShop, type Served } from '../state/servers.js';
import { httpTransport, peerOf, stdioTransport, type ClientKind, type Peer } from './clients.js';
import type { Message } from './wire.js';

/** State over the whole matrix: both halves, both SDKs, both revisions, HTTP and stdio, against the shop server in its own process. */

type Sdk = 'v1' | 'v2';
const served: Partial<Record<Sdk, Served>> = {};
let other: Served;
beforeAll(async () => {
  [served.v1, served.v2, other] = await Promise.all([serveShop('--sdk', 'v1'), serveShop('--sdk', 'v2'), serveShop()]);
});
afterAll(async () => {
  for (const one of [served.v1, served.v2, other]) await one?.kill();
});

interface Visit {
  readonly waybill: StatefulClientContext;
  readonly client: Peer;
  readonly issues: Issue[];
  call(name: string, args?: Message): Promise<any>;
  /** The state that the server's handler sees. */
  seen(): Promise<any>;
  close(): Promise<void>;
}

const hosts = { allowHosts: ['127.0.0.1'] };

async function visit(
  client: ClientKind,
  sdk: Sdk,
  transport: 'http' | 'stdio',
  options: ClientContextOptions = {},
  known?: StatefulClientContext,
  attach = {},
): Promise<Visit> {
  const issues: Issue[] = [];
  const waybill =
    known ?? clientContext({ state: jar({ ...hosts, stdio: stdioIdentity() }), onIssue: (issue) => issues.push(issue), ...options });
  const peer = peerOf(client);
  const at =
    transport === 'http' ? httpTransport(client, served[sdk]!.url, fetch) : stdioTransport(client, [SHOP, '--stdio', '--sdk', sdk]);
  await peer.connect(waybill.attach(at, attach));
  const call = async (name: string, args: Message = {}) => {
    const result = (await peer.callTool({ name, arguments: args })) as any;
    // STATE-42, IX-16: neither the application nor a model sees state.
    for (const key of Object.keys(result._meta ?? {})) expect(key).not.toMatch(/state/);
    if (result.isError) throw new Error(JSON.stringify(result));
    return result.structuredContent;
  };
  return { waybill, client: peer, issues, call, seen: async () => (await call('context')).state, close: () => peer.close() };
}

const CELLS = (['v1', 'v2-legacy', 'v2-modern'] as const).flatMap((client) =>
  (['v1', 'v2'] as const).flatMap((sdk) =>
    // A process for each connection is slow to start: over stdio each client and each server once, and the newest pair.
    (['http', 'stdio'] as const)
      .filter((transport) => transport === 'http' || (client === 'v1') === (sdk === 'v1'))
      .map((transport) => [client, sdk, transport] as const),
  ),
);

describe.each(CELLS)('%s client, %s server, %s', (client, sdk, transport) => {
  let one: Visit;
  beforeAll(async () => {
    one = await visit(client, sdk, transport);
  });

  it('STATE-01, STATE-02, STATE-08: state of a result is on the next request, under any name', async () => {
    const { call, seen, client: peer, issues } = one;
    expect(await seen()).toEqual({ available: true, session: {}, server: {} });
    const odd = {
      'Cart Contents': { items: ['cucumber', 'tomato'], price: 100.5 },
      constructor: [null, true, 'ü😀\u2028"'],
      '\u0000\ud800 \\': '\ud800\u0000',
    };
    for (const [name, value] of Object.entries(odd))
      expect(await call('set_state', { scope: 'session', name, value })).toEqual({ set: true });
    await call('set_state', { scope: 'server', name: '__proto__', value: { a: 1 } });
    await peer.allTools();
    const state = await seen();
    expect(state.session).toEqual(odd);
    expect(JSON.stringify(state.server)).toBe('{"__proto__":{"a":1}}');
    expect(await call('sealed_counter')).toEqual({ value: 1 });
    expect(await call('sealed_counter')).toEqual({ value: 2 });
    await call('delete_state', { scope: 'session', name: 'Cart Contents' });
    expect((await seen()).session).not.toHaveProperty('Cart Contents');
    expect(issues).toEqual([]);
  });

  it('D-08: a cart filled by parallel calls loses nothing', async () => {
    const { call } = one;
    await call('add_to_cart', { item: 'first' });
    const items = Array.from({ length: 8 }, (_, at) => `item ${at}`);
    await Promise.all(items.map((item) => call('add_to_cart', { item })));
    const cart = (await call('add_to_cart', { item: 'last' })) as { items: string[] };
    expect(new Set(cart.items)).toEqual(new Set(['first', ...items, 'last']));
  });

  it('D-05, STATE-40: conversations begin, fork and end; principals share nothing', async () => {
    const { waybill, call, seen } = one;
    await call('set_state', { scope: 'session', name: 'x', value: 'the connection’s' });
    const talk = waybill.jar.begin();
    const inTalk = <T>(fn: () => Promise<T>): Promise<T> => waybill.run({ conversation: talk }, fn);
    await inTalk(() => call('set_state', { scope: 'session', name: 'x', value: 'the talk’s' }));
    expect((await inTalk(seen)).session).toEqual({ x: 'the talk’s' });
    const child = await talk.fork();
    await waybill.run({ conversation: child }, () => call('set_state', { scope: 'session', name: 'y', value: 1 }));
    expect((await waybill.run({ conversation: child }, seen)).session).toEqual({ x: 'the talk’s', y: 1 });
    await talk.end();
    expect((await inTalk(seen)).session).toEqual({});
    expect((await seen()).session).toMatchObject({ x: 'the connection’s' });
    await waybill.run({ principal: 'ann' }, () => call('set_state', { scope: 'server', name: 'x', value: 'ann’s' }));
    expect((await waybill.run({ principal: 'bob' }, seen)).server).toEqual({});
    expect((await waybill.run({ principal: 'ann' }, seen)).server).toEqual({ x: 'ann’s' });
    expect((await seen()).server).not.toHaveProperty('x');
  });

  it('STATE-20, STATE-21, STATE-23: over two connections server scope stays, and session scope is gone', async () => {
    const { waybill, call, client: peer } = one;
    const conversation = waybill.jar.begin();
    await call('set_state', { scope: 'server', name: 'kept', value: 1 });
    await waybill.run({ conversation }, () => call('set_state', { scope: 'session', name: 'bound', value: 1 }));
    const legacy = peer.era() === 'legacy';
    await one.close();
    const second = await visit(client, sdk, transport, {}, waybill);
    const { session, server } = await second.seen();
    expect([session, server.kept]).toEqual([{}, 1]);
    // On a 2025 connection a conversation ends at the latest with the MCP session.
    expect((await waybill.run({ conversation }, second.seen)).session).toEqual(legacy ? {} : { bound: 1 });
    await second.close();
  });
});

describe('servers that may keep nothing', () => {
  it.each([
    ['no host was allowed', {}],
    ['another host was', { allowHosts: ['localhost'] }],
  ])('STATE-32, STATE-37, IX-11: the capability is not declared if %s', async (_why, rules) => {
    const { call, seen, waybill, close } = await visit('v2-modern', 'v2', 'http', { state: jar(rules) });
    expect(await call('set_state', { scope: 'server', name: 'x', value: 1 })).toEqual({ set: false });
    expect(await seen()).toEqual({ available: false, session: {}, server: {} });
    expect(await waybill.jar.list()).toEqual([]);
    await close();
  });

  it('D-07: an HTTP transport whose fetch is left alone', async () => {
    const { call, close } = await visit('v2-modern', 'v2', 'http', {}, undefined, { fetch: false });
    expect(await call('set_state', { scope: 'server', name: 'x', value: 1 })).toEqual({ set: false });
    await close();
  });

  it('STATE-39: an unknown command keeps none, unless it has a name', async () => {
    const unknown = await visit('v1', 'v1', 'stdio', { state: jar({ stdio: () => undefined }) });
    expect(await unknown.call('set_state', { scope: 'server', name: 'x', value: 1 })).toEqual({ set: false });
    await unknown.close();
    const named = await visit('v1', 'v1', 'stdio', { state: jar() }, undefined, { server: 'my shop' });
    expect(await named.call('set_state', { scope: 'server', name: 'x', value: 1 })).toEqual({ set: true });
    expect(await named.waybill.jar.list()).toMatchObject([{ server: 'my shop', items: 1 }]);
    await named.close();
  });

  it('STATE-30: another server receives nothing, and another port keeps no copy', async () => {
    const { waybill, call, close } = await visit('v2-modern', 'v2', 'http');
    await call('set_state', { scope: 'server', name: 'x', value: 1 });
    const peer = peerOf('v2-modern');
    const bodies: string[] = [];
    const spy = (url: unknown, init: any) => (bodies.push(String(init?.body)), fetch(url as URL, init as RequestInit));
    await peer.connect(waybill.attach(httpTransport('v2-modern', other.url, spy as never)));
    const result = (await peer.callTool({ name: 'context', arguments: {} })) as any;
    expect(result.structuredContent.state).toEqual({ available: true, session: {}, server: {} });
    for (const body of bodies)
      for (const key of [...keys.STATE_SPELLINGS.session, ...keys.STATE_SPELLINGS.server]) expect(body).not.toContain(key);
    expect(await waybill.jar.list()).toMatchObject([{ server: served.v2!.url.origin, items: 1 }]);
    await peer.close();
    await close();
  });
});

describe('late answers', () => {
  it('D-05: answers to a principal who has left are dropped', async () => {
    const { waybill, call, issues, close } = await visit('v2-modern', 'v2', 'http', { principal: 'ann' });
    const under = call('set_state', { scope: 'server', name: 'x', value: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    waybill.update({ principal: 'bob' });
    await under;
    expect(await waybill.jar.list({ principal: 'ann' })).toEqual([]);
    expect(await waybill.jar.list({ principal: 'bob' })).toEqual([]);
    expect(issues.map(({ problem }) => problem)).toEqual(['was set for a principal that the client no longer acts for']);
    await close();
  });

  it('D-05: answers to a conversation that has ended are dropped', async () => {
    const { waybill, call, close } = await visit('v2-modern', 'v2', 'http');
    const conversation = waybill.jar.begin();
    const under = waybill.run({ conversation }, () => call('set_state', { scope: 'session', name: 'x', value: 1 }));
    await new Promise((resolve) => setImmediate(resolve));
    await conversation.end();
    await under;
    expect(await waybill.jar.list()).toEqual([]);
    await close();
  });
});

describe('the user’s control', () => {
  it('state is listed, shown, edited, exported and cleared, by server, principal and scope; STATE-12: and the server still works', async () => {
    const { waybill, call, seen, close } = await visit('v2-modern', 'v2', 'http');
    const server = served.v2!.url.href;
    await call('set_state', { scope: 'session', name: 'x', value: [1] });
    await call('set_state', { scope: 'server', name: 'y', value: 'two' });
    const [drawer] = await waybill.jar.list();
    expect(drawer).toMatchObject({ server: served.v2!.url.origin, items: 2 });
    expect(drawer!.bytes).toBeGreaterThan(5);
    const items = await waybill.jar.show(server);
    expect(items.map(({ scope, name, value }) => [scope, name, value])).toEqual([
      ['session', 'x', [1]],
      ['server', 'y', 'two'],
    ]);
    await waybill.jar.edit(server, 'y', 'three');
    expect((await seen()).server).toEqual({ y: 'three' });
    await expect(waybill.jar.edit(server, 'y', 'z'.repeat(20_000))).rejects.toThrow(RangeError);
    expect(await waybill.jar.export()).toMatchObject({ version: 1, drawers: [{ items: [{ name: 'x' }, { name: 'y', value: 'three' }] }] });
    expect(await waybill.jar.clear({ server, scope: 'session' })).toBe(1);
    expect(await seen()).toEqual({ available: true, session: {}, server: { y: 'three' } });
    expect(await call('sealed_counter')).toEqual({ value: 1 });
    const under = call('set_state', { scope: 'server', name: 'late', value: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(await waybill.jar.clear()).toBe(2);
    await under;
    expect(await waybill.jar.list()).toEqual([]);
    expect(await call('sealed_counter')).toEqual({ value: 1 });
    await close();
  });
});
