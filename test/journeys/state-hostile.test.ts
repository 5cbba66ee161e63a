import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { keys, type Issue } from 'waybill';
import { defineState, serverContext } from 'waybill/server';
import { nodeSeal } from 'waybill/server/node';
import { callTool } from 'waybill/testing';
import { Internet, plain, serve, visit } from '../state/internet.js';

/** A hostile server changes only its own bounded drawer; a hostile client gets absent values and an issue. */

const SESSION = keys.STATE_SPELLINGS.session[0];
const SERVER = keys.STATE_SPELLINGS.server[0];

/** A site that answers every call with any `_meta`. */
function rude(internet: Internet, host: string, meta: () => unknown, extension?: object): void {
  const honest = serve(plain);
  internet.site(host, async (request) => {
    const response = await honest(request);
    const body = await response.json();
    if (body.result?.capabilities && extension) body.result.capabilities.extensions = { [keys.EXTENSION_ID]: extension };
    if (body.result?.structuredContent) body.result._meta = meta();
    return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
  });
}

const big = 'x'.repeat(1_048_576);
const deep = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

const attacks: Record<string, () => unknown> = {
  'a megabyte in one value': () => ({ [SERVER]: { big } }),
  'a megabyte in one name': () => ({ [SERVER]: { [big]: 1 } }),
  'ten thousand names': () => ({ [SERVER]: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`n${at}`, at])) }),
  prototypes: () =>
    JSON.parse(
      `{"${SERVER}":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}},"__proto__":{"${SERVER}":{"x":1}}}`,
    ) as unknown,
  'deep values': () => ({ [SERVER]: { fits: deep(90), not: deep(300), never: deep(3_000) } }),
  'state for another host': () => ({
    [SERVER]: { 'shop.example.com': { cart: 'planted' } },
    [`${SERVER}/shop.example.com`]: { cart: 'planted' },
  }),
  'every spelling at once': () =>
    Object.fromEntries([...keys.STATE_SPELLINGS.server, ...keys.STATE_SPELLINGS.session].map((key) => [key, { x: key }])),
  rubbish: () => ({ [SERVER]: 'text', [SESSION]: [1, 2], [keys.STATE_CONFLICTS]: { session: { x: [1] } } }),
  'numbers that are none': () => ({ [SERVER]: { a: Infinity, b: -0, c: Number.MIN_VALUE, d: Number.MAX_VALUE } }),
};

describe('a hostile server', () => {
  it.each(Object.keys(attacks))('STATE-42, D-09: a server with %s changes only its own bounded drawer', async (what) => {
    const internet = new Internet();
    internet.site('shop.example.com', serve(plain));
    rude(internet, 'evil.example.com', attacks[what]!);
    const shop = await visit(internet, 'https://shop.example.com/mcp');
    await shop.call('set', { scope: 'server', name: 'cart', value: ['mine'] });
    const evil = await visit(internet, 'https://evil.example.com/mcp', {}, {}, shop.waybill);
    for (let n = 0; n < 3; n++) await evil.client.callTool({ name: 'seen', arguments: {} });
    const result = (await evil.client.callTool({ name: 'seen', arguments: {} })) as any;
    for (const key of [...keys.STATE_SPELLINGS.session, ...keys.STATE_SPELLINGS.server, keys.STATE_CONFLICTS])
      expect(result._meta ?? {}).not.toHaveProperty([key]);
    expect((await shop.call('seen')).server).toEqual({ cart: ['mine'] });
    const drawers = await shop.waybill.jar.list();
    expect(drawers.map(({ server }) => server).filter((server) => server !== 'evil.example.com')).toEqual(['shop.example.com']);
    for (const { items, bytes } of drawers) {
      expect(items).toBeLessThanOrEqual(64);
      expect(bytes).toBeLessThanOrEqual(131_072);
    }
    expect(internet.reached('shop.example.com')).not.toContain('planted');
    expect(({} as any).polluted).toBeUndefined();
    await shop.client.close();
    await evil.client.close();
  });

  it('D-08: a server whose values never settle keeps at most 256 of them, within its bytes', async () => {
    const internet = new Internet();
    let n = 0;
    rude(internet, 'evil.example.com', () => ({ [SERVER]: { x: `${n++}`.padEnd(200, '.'), y: `${n++}`.padEnd(9_000, '.') } }), {
      merge: ['x', 'y', 7, null],
    });
    const { client, waybill, issues } = await visit(internet, 'https://evil.example.com/mcp');
    await Promise.all(Array.from({ length: 300 }, () => client.callTool({ name: 'seen', arguments: {} })));
    const [drawer] = await waybill.jar.list();
    expect(drawer!.bytes).toBeLessThanOrEqual(131_072);
    const items = await waybill.jar.show('evil.example.com');
    expect(items.map(({ name }) => name).sort()).toEqual(['x', 'y']);
    for (const { concurrent } of items) expect(concurrent!.length).toBeLessThanOrEqual(256);
    expect(issues.some(({ problem }) => problem.includes('lost'))).toBe(true);
    await client.close();
  });
});

describe('a hostile client', () => {
  const KEY = 'a secret that only the shop knows, really';
  const definitions = {
    total: { scope: 'session' as const, schema: z.number(), maxAge: 3600 },
    other: { scope: 'server' as const, schema: z.number() },
  };
  const stateOf = (options: { key?: string; audience?: string; now?: () => number } = {}) =>
    defineState(definitions, {
      seal: nodeSeal({ keys: [options.key ?? KEY], audience: options.audience ?? 'shop' }),
      ...(options.now && { clock: options.now }),
    });

  /** A shop, and a client without our layer that sends anything. */
  function shop(options: Parameters<typeof stateOf>[0] = {}) {
    const issues: Issue[] = [];
    const internet = new Internet();
    const state = stateOf(options);
    const tools = {
      total: (ctx: object) => state.of(ctx).total.get(),
      set: (ctx: object, { value }: any) => [state.of(ctx).total.set(value), state.of(ctx).other.set(value)],
    };
    internet.site('a.example.com', serve(tools, { state, onIssue: (issue) => issues.push(issue), limits: { size: 64 * 1024 * 1024 } }));
    const post = async (name: string, args: object, meta: object): Promise<any> => {
      const response = await internet.fetch('https://a.example.com/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': name,
        },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: {
            name,
            arguments: args,
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': { state: {} },
              ...meta,
            },
          },
        }),
      });
      return response.json();
    };
    const token = async (scope: 'session' | 'server' = 'session'): Promise<string> => {
      const { result } = await post('set', { value: 7 }, {});
      return result._meta[scope === 'session' ? SESSION : SERVER][scope === 'session' ? 'total' : 'other'];
    };
    const total = async (sent: unknown, more: object = {}): Promise<unknown> =>
      (await post('total', {}, { [SESSION]: { total: sent }, ...more })).result?.structuredContent.given;
    return { issues, token, total };
  }

  it('a client gets its own values back, and D-22, STATE-43: nothing for values it tampered with', async () => {
    const { issues, token, total } = shop();
    const good = await token();
    expect(await total(good)).toBe(7);
    expect(issues).toEqual([]);
    const foreign = [await shop({ key: KEY + '!' }).token(), await shop({ audience: 'other' }).token(), await token('server')];
    const made = [
      good.slice(0, -1),
      good.slice(0, 20),
      `${good}A`,
      good.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      '',
      'w1....',
      7,
      { total: 7 },
      null,
      [good],
    ];
    let expected = 0;
    for (const bad of [...foreign, ...made]) {
      expect([bad, await total(bad)]).toEqual([bad, null]);
      expect(issues).toHaveLength(++expected);
    }
    expect(JSON.stringify(issues)).not.toContain(good.slice(20, 60));
  });

  it('D-22: expired values are absent', async () => {
    let now = Date.now();
    const { token, total, issues } = shop({ now: () => now });
    const good = await token();
    now += 3_599_000;
    expect(await total(good)).toBe(7);
    now += 2_000;
    expect(await total(good)).toBe(null);
    expect(issues.map(({ problem }) => problem)).toEqual(['has expired']);
  });

  it('ten megabytes, ten thousand conflicts or a million names are refused, and quickly', async () => {
    const { total, token } = shop();
    const good = await token();
    expect(await total('w1.aaaaaaaa.1..' + 'A'.repeat(10_000_000))).toBe(null);
    const conflicts = { [keys.STATE_CONFLICTS]: { session: { total: Array.from({ length: 10_000 }, () => good) } } };
    expect(await total(good, conflicts)).toBe(7);
    const names = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`n${at}`, 1]));
    expect(await total(good, { [SERVER]: names })).toBe(7);
  });

  it('D-08: a client with malformed concurrent values loses only those: the current value is still read', async () => {
    const cart = {
      scope: 'session' as const,
      schema: z.array(z.string()),
      merge: (values: readonly (string[] | null)[]) => values.flatMap((value) => value ?? []),
    };
    const state = defineState({ cart });
    const shop = serverContext({ state }).attach(() => {
      const server = new McpServer({ name: 'shop', version: '1' });
      server.registerTool('cart', { inputSchema: z.object({}) }, (_args, ctx) => ({
        content: [],
        structuredContent: { cart: state.of(ctx).cart.get() },
      }));
      return server;
    });
    const cartOf = async (conflicts: unknown): Promise<unknown> => {
      const context = { capabilities: { state: {} }, state: { session: { cart: ['b'] } }, meta: { [keys.STATE_CONFLICTS]: conflicts } };
      const { result } = await callTool(shop, 'cart', {}, context);
      return (result?.['structuredContent'] as { cart: unknown }).cart;
    };
    for (const bad of [[7, 8], [['a'], 7], [['a'], null], 7, {}]) expect(await cartOf({ session: { cart: bad } })).toEqual(['b']);
    expect(await cartOf({ session: { cart: [['a'], 7, ['b']] } })).toEqual(['a', 'b']);
  });
});
