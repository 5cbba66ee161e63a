/** A slice of `npm run soak`: three replicas on a real Redis while replicas and Redis are killed; and who finds which session. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { replicas } from '../../scripts/soak/replicas.mjs';
import { serveHttp } from '../journeys/fixtures/serve.mjs';
import { hasRedis, startRedis } from '../state/redis.js';
import { startGateway } from './through.js';
import { eventually } from '../support/eventually.js';

const ENVELOPE = { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {} };

/** Stands between a gateway and its Redis. */
class Line {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  /** Takes the next connection in place of Redis. */
  #held: ((socket: Socket) => void) | undefined;

  constructor(port: number) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket.on('error', () => undefined));
      if (this.#held) this.#held(socket);
      else {
        const onward = connect(port, '127.0.0.1').on('error', () => socket.destroy());
        this.#sockets.add(onward.on('close', () => socket.destroy()));
        socket.pipe(onward).pipe(socket);
        socket.on('close', () => onward.destroy());
      }
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends the connection. Resolves with the next one, which nobody answers. */
  break(): Promise<Socket> {
    const next = new Promise<Socket>((resolve) => {
      this.#held = (socket) => {
        this.#held = undefined;
        resolve(socket);
      };
    });
    for (const socket of this.#sockets) socket.destroy();
    return next;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

describe.skipIf(!hasRedis)('replicas', () => {
  test('a request that waits on a connection which breaks reads on the next one', async () => {
    const redis = await startRedis();
    const line = new Line(redis.port);
    const upstream = await serveHttp('v2');
    const admin = { listen: '127.0.0.1:0', token: 't' };
    const gateway = await startGateway({
      ...{ store: `redis://127.0.0.1:${await line.listen()}`, identity: { single: true }, admin },
      upstreams: { s: { url: upstream.url.href, revision: '2026-07-28', state: { mode: 'keep', allowHosts: ['127.0.0.1'] } } },
    });
    const list = async (): Promise<number> => {
      const response = await fetch(`${gateway.base}/s/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: ENVELOPE } }),
      });
      await response.text();
      return response.status;
    };
    expect(await list()).toBe(200);
    const silent = await line.break();
    const answered = list();
    await eventually(async () => {
      const metrics = await fetch(`${gateway.admin}/metrics`, { headers: { authorization: 'Bearer t' } });
      expect(await metrics.text()).toContain('waybill_gateway_in_flight{upstream="s",method="tools/list"} 1');
    });
    silent.destroy();
    expect(await answered).toBe(200);
    await Promise.all([gateway.close(), upstream.close()]);
    line.close();
    await redis.stop();
  });

  test('no wrong answer, no lost acknowledged state, errors only while something is down', { timeout: 120_000 }, async () => {
    const figures = await replicas({ users: 6, calls: 60, kills: 2, redisKills: 1 });
    expect(figures).toMatchObject({ calls: 360, wrong: [], lost: [], errors: [], kills: 2, redisKills: 1 });
    expect(figures.acknowledged + figures.errorsWhileDown).toBe(360);
    expect(figures.acknowledged).toBeGreaterThan(250);
  });

  test('the store keeps the key of the sessions; /readyz tells when it is gone, and a request that needs it gets 503', async () => {
    const redis = await startRedis();
    const config = {
      store: redis.url,
      identity: { single: true },
      admin: { listen: '127.0.0.1:0', token: 't' },
      upstreams: { s: { command: [process.execPath, '-e', ''], revision: '2026-07-28', state: { mode: 'keep' } } },
    };
    const lines: string[] = [];
    const gateway = await startGateway(config, { log: (line) => lines.push(line) });
    const ready = async (): Promise<unknown> => {
      const response = await fetch(`${gateway.admin}/readyz`, { headers: { authorization: 'Bearer t' } });
      return [response.status, ((await response.json()) as { store: string }).store];
    };
    const initialize = async (): Promise<[number, string | null]> => {
      const response = await fetch(`${gateway.base}/s/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } }),
      });
      await response.text();
      return [response.status, response.headers.get('retry-after')];
    };
    expect(await ready()).toEqual([200, 'ok']);
    await redis.kill();
    expect(await ready()).toEqual([503, expect.stringContaining('cannot be reached')]);
    const fresh = await startGateway(config);
    expect(await fetch(`${fresh.base}/healthz`).then(({ status }) => status)).toBe(200);
    await fresh.close();
    // The key is known from the start, so only what reads the store fails.
    expect(await initialize()).toEqual([502, null]);
    await redis.start();
    // The only upstream is a command that ends at once, so the gateway as a whole stays unready.
    expect(await ready()).toEqual([503, 'ok']);
    redis.hang();
    expect(await ready()).toEqual([503, 'cannot be reached: does not answer']);
    redis.wake();
    expect(lines.filter((line) => line.startsWith('store: '))).toEqual([
      expect.stringContaining('store: cannot be reached: '),
      'store: can be reached again',
    ]);
    await gateway.close();
    await redis.stop();
  });
});
