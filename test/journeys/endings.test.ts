/** Connections, subscriptions and calls end in the same way with a layer and without. */
import { describe, test } from 'vitest';
import { hookTransport } from 'waybill/adapter';
import { pendingOf } from '../../packages/waybill/dist/transport/hook.js';
import { serveHttp } from './fixtures/serve.mjs';
import { httpTransport, peerOf } from './clients.js';
import { impossible, nameOf, open, SERVERS, TRANSPORTS, type Cell, type Journey, type Layers } from './harness.js';
import { travel } from './scenario.js';
import { deferred, errorOf, plain } from './telling.js';

const empty: Layers = {
  client: { transport: (transport) => hookTransport(transport as never, {}) },
  server: new URL('./fixtures/layers/empty.mjs', import.meta.url),
};

/** Runs the same story with and without an empty layer, and counts what is open afterwards. */
async function both<T>(cell: Cell, story: (journey: Journey) => Promise<T>): Promise<{ bare: T; layered: T; left: number }> {
  const tell = async (layers: Layers): Promise<[T, number]> => {
    const journey = await open(cell, layers);
    try {
      return [await story(journey), pendingOf(journey.transport)];
    } finally {
      await journey.close();
    }
  };
  const [bare] = await tell({});
  const [layered, left] = await tell(empty);
  return { bare, layered, left };
}

const CELLS: Cell[] = [
  { client: 'v1', server: 'v1', transport: 'memory' },
  { client: 'v1', server: 'v1', transport: 'stdio' },
  { client: 'v2-legacy', server: 'wired', transport: 'http-sse' },
  { client: 'v2-modern', server: 'v2', transport: 'memory' },
  { client: 'v2-modern', server: 'v2', transport: 'http-sse' },
  { client: 'v2-modern', server: 'v2', transport: 'stdio' },
];

describe('a client that is pinned to 2026-07-28', { concurrent: true }, () => {
  const pinned = TRANSPORTS.flatMap((transport) => SERVERS.map((server): Cell => ({ client: 'v2-pinned', server, transport })));
  // The negotiation differs by transport on these two only.
  test.for(pinned.filter((cell) => impossible(cell) === undefined && ['stdio', 'http-sse'].includes(cell.transport)))(
    'it behaves with an empty layer as without, $server server, $transport',
    async (cell, { expect }) => {
      const { bare, layered } = await both(cell, travel);
      expect(plain(layered)).toEqual(plain(bare));
    },
  );
  test.for(pinned.filter((cell) => impossible(cell) !== undefined))(
    'it is refused in the same way by a server that cannot serve it, $server server, $transport',
    async (cell, { expect }) => {
      const bare = await open(cell).catch(errorOf);
      expect(bare, nameOf(cell)).toMatchObject({ code: 'ERA_NEGOTIATION_FAILED' });
      expect(await open(cell, empty).catch(errorOf)).toEqual(bare);
    },
  );
});

describe('the client closes the connection', { concurrent: true }, () => {
  test.for(CELLS)('in the middle of calls: $client client, $server server, $transport', async (cell, { expect }) => {
    const { bare, layered, left } = await both(cell, async ({ client }) => {
      const calls = ['a', 'b', 'c'].map((key) => client.callTool({ name: 'slow', arguments: { key } }).catch(errorOf));
      await client.callTool({ name: 'happened', arguments: { event: 'started c' } });
      await client.close();
      return Promise.all(calls);
    });
    expect(bare).toMatchObject([{ class: /v1/.test(cell.client) ? 'McpError' : 'SdkError' }, {}, {}]);
    expect(layered).toEqual(bare);
    expect(left).toBe(0);
  });

  test.for(CELLS)('and calls again: $client client, $server server, $transport', async (cell, { expect }) => {
    const { bare, layered, left } = await both(cell, async ({ client }) => {
      await client.close();
      return client.callTool({ name: 'echo', arguments: { text: 'x' } }).catch(errorOf);
    });
    expect(bare).toMatchObject({ message: expect.stringContaining('Not connected') });
    expect(layered).toEqual(bare);
    expect(left).toBe(0);
  });
});

describe('the server ends', { concurrent: true }, () => {
  test.for(['v1', 'v2-modern'] as const)('its process dies in the middle of calls, %s', async (client, { expect }) => {
    const { bare, layered, left } = await both({ client, server: client === 'v1' ? 'v1' : 'v2', transport: 'stdio' }, async (journey) => {
      const closed = deferred<unknown>();
      journey.client.sdk.onclose = () => closed.resolve(undefined);
      const call = journey.client.callTool({ name: 'slow', arguments: { key: 'a' } }).catch(errorOf);
      await journey.client.callTool({ name: 'happened', arguments: { event: 'started a' } });
      process.kill(journey.transport.pid, 'SIGKILL');
      await closed.promise;
      return call;
    });
    expect(bare).toMatchObject({ message: expect.stringContaining('onnection closed') });
    expect(layered).toEqual(bare);
    expect(left).toBe(0);
  });

  test.for([undefined, empty])('it ends a subscription gracefully, layer: %s', async (layers, { expect }) => {
    const served = await serveHttp('v2', {});
    const peer = peerOf('v2-modern');
    const transport = httpTransport('v2-modern', served.url, fetch);
    await peer.connect(layers?.client?.transport?.(transport) ?? transport);
    const subscription = await peer.sdk.listen({ toolsListChanged: true });
    expect(pendingOf(transport)).toBe(layers === undefined ? 0 : 1);
    await served.close();
    expect(await subscription.closed).toBe('graceful');
    expect(pendingOf(transport)).toBe(0);
    await peer.close();
  });
});

describe('a subscription', { concurrent: true }, () => {
  test.for(CELLS.filter(({ client }) => client === 'v2-modern'))(
    'a subscription that the client closes is no longer an open exchange, $transport',
    async (cell, { expect }) => {
      const journey = await open(cell, empty);
      try {
        const subscription = await journey.client.sdk.listen({ toolsListChanged: true });
        expect(pendingOf(journey.transport)).toBe(1);
        await subscription.close();
        expect(pendingOf(journey.transport)).toBe(0);
        expect(await subscription.closed).toBe('local');
      } finally {
        await journey.close();
      }
    },
  );
});
