import { expect, it, vi } from 'vitest';
import { redisStore } from 'waybill/client/node';
import { hasRedis, startRedis } from './redis.js';

// Everything that holds for ioredis 6 holds for ioredis 5: here, in the store, and in the processes that a test starts.
vi.mock('ioredis', () => import('ioredis5'));
vi.stubEnv('NODE_OPTIONS', `--import ${new URL('./use-ioredis5.mjs', import.meta.url).href}`);
await import('./redis.test.js');

it.skipIf(!hasRedis)('the tests really use ioredis 5', async () => {
  const { Redis } = await import('ioredis5');
  const connected = vi.spyOn(Redis.prototype, 'connect');
  const redis = await startRedis();
  const store = redisStore(redis.url);
  await store.starting;
  expect(connected).toHaveBeenCalled();
  await store.close();
  await redis.stop();
});
