import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Issue } from 'waybill';
import { clientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import * as hosts from 'waybill/hosts';
import { serveShop, type Served } from '../state/servers.js';
import { httpTransport, peerOf, type Peer } from './clients.js';

/** A cart over three replicas without memory, behind a round robin, while replicas are killed and replaced. */

let replicas: Served[] = [];
beforeAll(async () => {
  replicas = await Promise.all([1, 2, 3].map(() => serveShop()));
});
afterAll(async () => {
  await Promise.all(replicas.map((one) => one.kill()));
});

let next = 0;
/** The balancer: one replica after the other, and the next one if a replica is gone. */
async function balanced(_url: string | URL, init?: RequestInit): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const replica = replicas[next++ % replicas.length]!;
    try {
      const response = await fetch(replica.url, init);
      return new Response(await response.text(), { status: response.status, headers: response.headers });
    } catch (error) {
      if (tries > 20) throw error;
    }
  }
}

async function shopper(): Promise<{ client: Peer; issues: Issue[]; call(name: string, args: object): Promise<any> }> {
  const issues: Issue[] = [];
  const waybill = clientContext({ state: jar({ hosts }), onIssue: (issue) => issues.push(issue) });
  const client = peerOf('v2-pinned');
  await client.connect(waybill.attach(httpTransport('v2-pinned', new URL('https://shop.example.com/mcp'), balanced as never)));
  return {
    client,
    issues,
    call: async (name, args) => ((await client.callTool({ name, arguments: args })) as any).structuredContent,
  };
}

describe('three stateless replicas behind a round robin', () => {
  it('D-08, IX-07: a cart filled by parallel calls loses nothing while replicas are killed', async () => {
    const { client, call } = await shopper();
    const wanted: string[] = [];
    for (let round = 0; round < 2; round++) {
      const items = Array.from({ length: 8 }, (_, at) => `item ${round}.${at}`);
      wanted.push(...items);
      const calls = items.map((item) => call('add_to_cart', { item }));
      const victim = replicas[(round * 2) % 3]!;
      // Killed at once, in the middle of its work; another replica takes its place.
      const [replacement] = await Promise.all([serveShop(), victim.kill(), ...calls]);
      replicas = replicas.map((one) => (one === victim ? replacement : one));
    }
    const { items } = await call('add_to_cart', { item: 'the last' });
    expect(new Set(items)).toEqual(new Set([...wanted, 'the last']));
    expect(await call('sealed_counter', {})).toEqual({ value: 1 });
    expect(await call('sealed_counter', {})).toEqual({ value: 2 });
    await client.close();
  });

  it('D-08: without merge the last to arrive counts, and the conflict is reported', async () => {
    const { client, call, issues } = await shopper();
    const arrived: number[] = [];
    const set = async (value: number) => {
      await call('set_state', { scope: 'session', name: 'n', value });
      arrived.push(value);
    };
    await Promise.all([1, 2, 3, 4, 5, 6].map(set));
    const { state } = await call('context', {});
    expect(state.session.n).toBe(arrived.at(-1));
    expect(issues.filter(({ key }) => key === 'session.n')).toHaveLength(5);
    expect(issues[0]!.problem).toBe(
      'was set by two answers, and neither request carried the value of the other; the last to arrive counts',
    );
    await client.close();
  });
});
