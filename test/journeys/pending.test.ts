/** The table of open exchanges is emptied for every way in which a call ends. */
import { describe, expect, test } from 'vitest';
import { hookServer, hookTransport, type Hooks } from 'waybill/adapter';
import { pendingOf } from '../../packages/waybill/dist/transport/hook.js';
import { memoryPair } from './clients.js';
import { CELLS, open, type Cell, type Layers } from './harness.js';
import { errorOf } from './telling.js';

/** Counts how exchanges end. */
function counting(): { hooks: Hooks; ends: Record<string, number> } {
  const ends: Record<string, number> = {};
  const observers = new Set([
    () =>
      ({ outcome, sender }: { outcome?: string | undefined; sender: string }) => {
        const name = `${sender} ${outcome}`;
        ends[name] = (ends[name] ?? 0) + 1;
      },
  ]);
  return { hooks: { observers }, ends };
}

const request = (id: number): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'slow' } });
const cancel = (id: number): object => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });

describe.each(['v1', 'v2'] as const)('a transport of SDK %s', (sdk) => {
  function pair(): { here: any; there: any; ends: Record<string, number> } {
    const [here, there] = memoryPair(sdk);
    const { hooks, ends } = counting();
    hookTransport(here, hooks);
    here.onmessage = there.onmessage = () => undefined;
    here.onclose = () => undefined;
    return { here, there, ends };
  }
  const DIRECTIONS = [
    { direction: 'out', sender: 'us' },
    { direction: 'in', sender: 'them' },
  ] as const;

  test.for(DIRECTIONS)('it keeps nothing of 10,000 cancelled calls that went $direction', async ({ direction, sender }, { expect }) => {
    const { here, there, ends } = pair();
    const end = direction === 'out' ? here : there;
    let most = 0;
    for (let id = 0; id < 10_000; id++) {
      await end.send(request(id));
      most = Math.max(most, pendingOf(here));
      await end.send(cancel(id));
    }
    expect(most).toBe(1);
    expect(pendingOf(here)).toBe(0);
    expect(ends).toEqual({ [`${sender} cancelled`]: 10_000 });
  });

  test.for(DIRECTIONS)(
    'it keeps a bounded part of 70,000 calls $direction that are never answered, and nothing after the end',
    async ({ direction, sender }, { expect }) => {
      const { here, there, ends } = pair();
      const end = direction === 'out' ? here : there;
      for (let id = 0; id < 70_000; id++) await end.send(request(id));
      const kept = pendingOf(here);
      expect(kept).toBeLessThanOrEqual(65_536);
      await here.close();
      expect(pendingOf(here)).toBe(0);
      expect(ends).toEqual({ [`${sender} lost`]: 70_000 - kept, [`${sender} closed`]: kept });
    },
  );

  test('it keeps nothing of a call that could not be sent', async () => {
    const { here, there, ends } = pair();
    await there.close();
    for (let id = 0; id < 100; id++) await expect(here.send(request(id))).rejects.toThrow();
    expect(pendingOf(here)).toBe(0);
    expect(ends).toEqual({ 'us failed': 100 });
  });

  test('it keeps nothing of an id that is used again', async () => {
    const { here, there, ends } = pair();
    for (let n = 0; n < 100; n++) await here.send(request(1));
    expect(pendingOf(here)).toBe(1);
    await there.send({ jsonrpc: '2.0', id: 1, result: {} });
    expect(pendingOf(here)).toBe(0);
    expect(ends).toEqual({ 'us lost': 99, 'us result': 1 });
  });
});

describe('through the SDKs', () => {
  /** One of each way to end a call over HTTP: a message, in a session of either SDK; the end of a stream; nothing at all. */
  const http: Cell[] = [
    { client: 'v1', server: 'v1', transport: 'http-sse' },
    { client: 'v2-legacy', server: 'wired', transport: 'http-sse' },
    { client: 'v2-modern', server: 'v2', transport: 'http-sse' },
    { client: 'v1', server: 'v2', transport: 'http-sse' },
  ];
  const cells = [...CELLS.filter(({ transport }) => transport === 'memory'), ...http];
  const callsOver = ({ transport }: Cell): number => (transport === 'memory' ? 100 : 25);
  /**
   * Legacy HTTP without sessions does not show a tool that its call was cancelled or that the client left. The tool goes on, on a transport
   * of its own that ends with it.
   */
  const goOn = ({ client, server, transport }: Cell): boolean => server === 'v2' && transport === 'http-sse' && client !== 'v2-modern';

  /** A journey with both ends counted; `left` is the number of open exchanges at either end. */
  async function counted(
    cell: Cell,
    act: (journey: Awaited<ReturnType<typeof open>>) => Promise<void>,
  ): Promise<{ left: number; ends: Record<string, number> }> {
    const client = counting();
    const server = counting();
    const ends: object[] = [];
    const layers: Layers = {
      client: { transport: (transport) => hookTransport(transport as never, client.hooks) },
      server: {
        server: (target) =>
          hookServer(target, (transport) => {
            ends.push(transport);
            hookTransport(transport, server.hooks);
          }),
      },
    };
    const journey = await open(cell, layers);
    try {
      await act(journey);
    } finally {
      await journey.close();
    }
    return { left: [journey.transport, ...ends].reduce<number>((sum, end) => sum + pendingOf(end as object), 0), ends: client.ends };
  }

  test.for(cells)('calls that are cancelled leave nothing, $client client, $server server, $transport', async (cell, { expect }) => {
    const CALLS = callsOver(cell);
    const { left, ends } = await counted(cell, async ({ client, transport }) => {
      for (let n = 0; n < CALLS; n++) {
        const giveUp = new AbortController();
        const call = client.callTool({ name: 'slow', arguments: { key: `${n}` } }, { signal: giveUp.signal }).catch(errorOf);
        await client.callTool({ name: 'happened', arguments: { event: `started ${n}` } });
        giveUp.abort();
        await call;
        await client.callTool({ name: 'release', arguments: { key: `${n}` } });
      }
      expect(pendingOf(transport)).toBe(0);
    });
    expect(left).toBe(0);
    expect(ends['us cancelled']).toBe(CALLS);
  });

  test.for(cells)('calls that time out leave nothing, $client client, $server server, $transport', async (cell, { expect }) => {
    const CALLS = callsOver(cell);
    const { left, ends } = await counted(cell, async ({ client, transport }) => {
      const calls = Array.from({ length: CALLS }, (_, n) =>
        client.callTool({ name: 'slow', arguments: { key: `${n}` } }, { timeout: 20 }).catch(errorOf),
      );
      await Promise.all(calls);
      // A cancellation over HTTP travels separately; when the server has answered the next call, it has been sent.
      await client.callTool({ name: 'echo', arguments: { text: 'x' } });
      expect(pendingOf(transport)).toBe(0);
    });
    expect(left).toBeLessThanOrEqual(goOn(cell) ? CALLS : 0);
    expect(ends['us cancelled']).toBe(CALLS);
  });

  test.for(cells)(
    'calls that are never answered leave nothing when the connection ends, $client client, $server server, $transport',
    async (cell, { expect }) => {
      const CALLS = callsOver(cell);
      const { left } = await counted(cell, async ({ client }) => {
        const calls = Array.from({ length: CALLS }, (_, n) => client.callTool({ name: 'slow', arguments: { key: `${n}` } }).catch(errorOf));
        await client.callTool({ name: 'happened', arguments: { event: `started ${CALLS - 1}` } });
        await client.close();
        expect(await Promise.all(calls)).toHaveLength(CALLS);
      });
      expect(left).toBeLessThanOrEqual(goOn(cell) ? CALLS : 0);
    },
  );
});
