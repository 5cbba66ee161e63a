/** A slice of `npm run soak`: three replicas on a real Redis while replicas and Redis are killed; and who finds which session. */
import { describe, expect, test } from 'vitest';
import { replicas } from '../../scripts/soak/replicas.mjs';
import { hasRedis, startRedis } from '../state/redis.js';
import { startGateway } from './through.js';

describe.skipIf(!hasRedis)('replicas', () => {
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
    const gateway = await startGateway(config);
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
    await gateway.close();
    await redis.stop();
  });
});
