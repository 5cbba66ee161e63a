import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { keys } from 'waybill';
import { clientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import * as hosts from 'waybill/hosts';
import { contextOf, defineState, serverContext, webSeal, type ServerContextOptions } from 'waybill/server';
import { Internet, plain, serve, visit } from '../state/internet.js';
import { eventually } from '../support/eventually.js';

describe('a list that the SDK caches', () => {
  it('IX-09: state of a cached list is not applied again when it comes from the cache', async () => {
    const internet = new Internet();
    const honest = serve(plain);
    let lists = 0;
    internet.site('a.example.com', async (request) => {
      const sent = await request.clone().json();
      const response = await honest(request);
      if (sent.method !== 'tools/list') return response;
      const body = await response.json();
      lists++;
      body.result = {
        ...body.result,
        ttlMs: 3_600_000,
        cacheScope: 'private',
        _meta: { [keys.STATE_SPELLINGS.server[0]]: { x: 'from the list' } },
      };
      return new Response(JSON.stringify(body), { headers: response.headers });
    });
    const waybill = clientContext({ state: jar({ hosts }), language: 'en' });
    const client = new Client(
      { name: 'guest', version: '1.0.0' },
      waybill.clientOptions({ versionNegotiation: { mode: 'auto' as const } }),
    );
    await client.connect(
      waybill.attach(new StreamableHTTPClientTransport(new URL('https://a.example.com/mcp'), { fetch: internet.fetch })),
    );
    const seen = async () => ((await client.callTool({ name: 'seen', arguments: {} })) as any).structuredContent.given.server;
    await client.listTools();
    expect(await seen()).toEqual({ x: 'from the list' });
    await client.callTool({ name: 'set', arguments: { scope: 'server', name: 'x', value: 'newer' } });
    const again = await client.listTools();
    expect(lists).toBe(1);
    expect(JSON.stringify(again)).not.toContain('from the list');
    expect(await seen()).toEqual({ x: 'newer' });
    await client.close();
  });
});

describe('the spelling of the keys', () => {
  it("D-02: keys have the seed's spelling, or with 'alias' the one that fits the grammar, and never both", async () => {
    for (const stateKeys of ['seed', 'alias'] as const) {
      const internet = new Internet();
      internet.site('a.example.com', serve(plain, { stateKeys }));
      const { call, client } = await visit(internet, 'https://a.example.com/mcp', { stateKeys });
      await call('set', { scope: 'session', name: 'x', value: 1 });
      expect(await call('seen')).toMatchObject({ session: { x: 1 } });
      const { body } = internet.sent.at(-1)!;
      const spelled = Object.keys(body.params._meta).filter((key) => key.includes('state'));
      expect(spelled).toEqual([keys.STATE_SPELLINGS.session[stateKeys === 'seed' ? 0 : 3]]);
      await client.close();
    }
  });
});

/** Client and server in one process, without a copy between them. */
async function inMemory(tools: (server: McpServer) => void, options: ServerContextOptions = {}) {
  const layer = serverContext(options);
  const server = new McpServer({ name: 'near', version: '1.0.0' });
  tools(server);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await layer.attach(server).connect(far);
  const waybill = clientContext({ state: jar() });
  const client = new Client({ name: 'guest', version: '1.0.0' });
  await client.connect(waybill.attach(near, { server: 'near' }));
  return {
    client,
    waybill,
    call: async (name: string) => ((await client.callTool({ name, arguments: {} })) as any).content[0].text as string,
  };
}
const text = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });

describe('in memory, where messages are passed by reference', () => {
  it('no change that either side makes to a value reaches the jar', async () => {
    const kept: { cart: string[] } = { cart: ['a'] };
    const { call, client, waybill } = await inMemory((server) => {
      server.registerTool('set', {}, async (ctx) => text(contextOf(ctx).state.session.set('x', kept)));
      server.registerTool('spoil', {}, async (ctx) => {
        const value = contextOf(ctx).state.session.get('x') as typeof kept;
        value.cart.push('spoilt');
        const meta = ctx.mcpReq._meta as any;
        meta[keys.STATE_SPELLINGS.session[0]].x.cart.push('spoilt, too');
        return text(true);
      });
      server.registerTool('get', {}, async (ctx) => text(contextOf(ctx).state.session.get('x')));
    });
    await call('set');
    kept.cart.push('later');
    await call('spoil');
    expect(await call('get')).toBe('{"cart":["a"]}');
    expect((await waybill.jar.show('near')).map(({ value }) => value)).toEqual([{ cart: ['a'] }]);
    await client.close();
  });
});

describe('opening sealed state before the handler runs', () => {
  it('D-22: opening is asynchronous, get() is synchronous, and a cancel that arrives meanwhile still works', async () => {
    const order: string[] = [];
    let release = (): void => undefined;
    let slow = false;
    const inner = webSeal({ keys: ['a secret of more than thirty-two bytes'], audience: 'near' });
    const seal = {
      ...inner,
      unseal: async (...args: Parameters<typeof inner.unseal>) => {
        if (slow) await new Promise<void>((resolve) => (release = resolve));
        return inner.unseal(...args);
      },
    };
    const state = defineState({ total: { scope: 'session', schema: z.number() } }, { seal });
    const { client, call } = await inMemory(
      (server) => {
        server.registerTool('add', {}, async (ctx) => {
          const { total } = state.of(ctx);
          const next = (total.get() ?? 0) + 1;
          total.set(next);
          return text(next);
        });
        server.registerTool('wait', {}, async (ctx) => {
          order.push(`runs with ${String(state.of(ctx).total.get())}`);
          const { signal } = ctx.mcpReq;
          if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          order.push('is cancelled');
          return text(null);
        });
      },
      { state },
    );
    expect([await call('add'), await call('add')]).toEqual(['1', '2']);
    slow = true;
    const abort = new AbortController();
    const cancelled = client.callTool({ name: 'wait', arguments: {} }, { signal: abort.signal }).catch(() => order.push('is given up'));
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await cancelled;
    slow = false;
    release();
    await eventually(() => {
      expect(order).toHaveLength(3);
    });
    expect(order).toEqual(['is given up', 'runs with 2', 'is cancelled']);
    await client.close();
  });
});
