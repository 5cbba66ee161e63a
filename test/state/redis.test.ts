import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import type { Issue, Json } from 'waybill';
import { Jars } from '../../packages/waybill/dist/client/jar/jars.js';
import { clientContext } from 'waybill/client';
import { jar as jarOf, type StateJar } from 'waybill/client/jar';
import { redisStore } from 'waybill/client/node';
import { startDoor } from './door.js';
import { hasRedis, startRedis, type TestRedis } from './redis.js';
import { found, missing, Writer } from './writers.js';

const open: Jars[] = [];
afterAll(async () => {
  await Promise.all(open.map((jars) => jars.sync!.close().catch(() => undefined)));
});

function client(url: string, prefix: string) {
  const issues: Issue[] = [];
  const jars = new Jars({ store: redisStore(url, { prefix }), storeTimeout: 500 }, (issue) => issues.push(issue));
  open.push(jars);
  const carry = async () => jars.carry('', 'a.example.com', undefined);
  return {
    jars,
    problems: () => issues.map(({ problem }) => problem),
    load: () => jars.sync!.load(jars.open('', 'a.example.com')),
    set: async (name: string, value: Json) => jars.apply((await carry()).ticket, { server: new Map([[name, value]]) }),
    values: async () => Object.fromEntries((await carry()).values.server ?? []),
  };
}
type TestClient = ReturnType<typeof client>;

/** Polls until it is true; the test runner's own limit ends an endless wait. */
async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 5));
}
const flushed = async ({ jars }: TestClient): Promise<boolean> =>
  jars.sync!.flush().then(
    () => true,
    () => false,
  );

describe.skipIf(!hasRedis)('hosts on one Redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  it('D-23: three replicas lose no acknowledged write', async () => {
    const writers = ['a', 'b', 'c'].map((id) => new Writer(redis.url, id, 30));
    await Promise.all(writers.map(({ over }) => over));
    expect(writers.map(({ acknowledged }) => acknowledged.length)).toEqual([30, 30, 30]);
    const store = redisStore(redis.url);
    expect(missing(writers, await found(store))).toEqual([]);
    await store.close();
  });

  it('D-23: the store is asked before the first request leaves, even if its connection has only begun', async () => {
    const before = client(redis.url, 'first');
    await before.set('cart', ['a']);
    await before.jars.sync!.close();
    const jars = new Jars({ store: redisStore(redis.url, { prefix: 'first' }) });
    open.push(jars);
    const { values } = await jars.carry('', 'a.example.com', undefined);
    expect(Object.fromEntries(values.server ?? [])).toEqual({ cart: ['a'] });
  });

  it('D-23: hosts learn each other’s changes', async () => {
    const [one, other] = [client(redis.url, 'hear'), client(redis.url, 'hear')];
    await Promise.all([one.load(), other.load()]);
    // This also works if the listener of the other host is only being set up and misses messages.
    await one.set('x', 1);
    await one.jars.sync!.flush();
    await until(async () => (await other.values())['x'] === 1);
    const stranger = new Redis(redis.url);
    for (const payload of ['{', 'null']) await stranger.publish('hear:changes', payload);
    stranger.disconnect();
    await one.set('x', null);
    await one.jars.sync!.flush();
    await until(async () => !('x' in (await other.values())));
    expect(other.problems()).toEqual(['got a message on its channel that is no change, and ignored it']);
  });

  it('a value of another program in a drawer breaks neither the drawer nor the lists', async () => {
    const before = client(redis.url, 'foreign');
    for (const name of ['a', 'b', 'c', 'd']) await before.set(name, 1);
    await before.jars.sync!.close();
    const other = new Redis(redis.url);
    const [drawer] = await other.keys('foreign:*:drawer:*');
    const foreign: [string, string][] = [
      ['lock', 'held by a job'],
      ['{}', '1 {}'],
      ['["x"]', '1 {}'],
      ['[null,5]', '1 {}'],
      ['[5,"x"]', '1 {}'],
      ['[null, "spaced"]', '1 {}'],
      ['[null,"b"]', 'no revision'],
      ['[null,"c"]', '12'],
      ['[null,"d"]', '99999999999999999999 {}'],
    ];
    for (const [field, value] of foreign) await other.hset(drawer!, field, value);
    await other.sadd('foreign:{%22%22}:drawers', 'not JSON');
    await other.sadd('foreign:principals', 'not JSON');
    const here = client(redis.url, 'foreign');
    await here.load();
    expect(await here.values()).toEqual({ a: 1 });
    expect(here.problems()).toEqual(['holds something under its keys that is no item of a jar, and ignores it']);
    expect(await here.jars.sync!.principals()).toEqual(['']);
    expect((await here.jars.sync!.drawers('')).map(({ server }) => server)).toEqual(['a.example.com']);
    // Our own name with such a value is overwritten.
    for (const name of ['b', 'c', 'd']) await here.set(name, 2);
    await here.jars.sync!.close();
    const later = client(redis.url, 'foreign');
    await later.load();
    expect(await later.values()).toEqual({ a: 1, b: 2, c: 2, d: 2 });
    expect(await other.hget(drawer!, 'lock')).toBe('held by a job');
    other.disconnect();
  });

  it('a client of the application works too', async () => {
    const own = new Redis(redis.url);
    const jars = new Jars({ store: redisStore(own, { prefix: 'own' }) });
    const { ticket } = await jars.carry('', 'a.example.com', undefined);
    void jars.apply(ticket, { server: new Map([['x', 1]]) });
    await jars.sync!.close();
    expect(await own.keys('own:*')).not.toEqual([]);
    expect(await own.ping()).toBe('PONG');
    own.disconnect();
    expect(() => redisStore({} as never)).toThrow(TypeError);
  });
});

it('a wrong option fails at the call', () => {
  expect(() => redisStore('redis://127.0.0.1', { prefx: 'a' } as never)).toThrow('redisStore.prefx: unknown option; did you mean prefix?');
  expect(() => redisStore('redis://127.0.0.1', { prefix: 5 } as never)).toThrow('redisStore.prefix: expected a text');
});

it.each(['http://127.0.0.1:6379', 'valkeys://127.0.0.1', '127.0.0.1:6379', '//127.0.0.1', 'redis://127.0.0.1:port', ''])(
  'a text that is no Redis URL fails at the call: %j',
  (url) => {
    expect(() => redisStore(url)).toThrow('redisStore: expected a URL that begins with redis:// or rediss://');
  },
);

it.each(['redis://127.0.0.1', 'rediss://user:password@redis.example.com:6380/1', '/run/redis.sock'])('%s is accepted', (url) => {
  expect(() => redisStore(url)).not.toThrow();
});

describe.skipIf(!hasRedis)('a client of the application with a key prefix', () => {
  let redis: TestRedis;
  let own: Redis;
  beforeAll(async () => {
    redis = await startRedis();
    own = new Redis(redis.url, { keyPrefix: 'app:' });
  });
  afterAll(async () => {
    own.disconnect();
    await redis.stop();
  });

  it('D-05: a conversation that ends is erased, and the rest stays for others', async () => {
    const [here, there] = [0, 1].map(() => clientContext({ state: jarOf({ store: redisStore(own) }) }).jar) as [StateJar, StateJar];
    const conversation = here.begin();
    await here.edit('shop', 'cart', 1, { conversation });
    await here.edit('shop', 'theme', 'dark');
    await conversation.end();
    expect(await there.list()).toMatchObject([{ server: 'shop', items: 1 }]);
    expect(await there.show('shop')).toMatchObject([{ name: 'theme' }]);
    await here.edit('shop', 'theme', 'light');
    await until(async () => (await there.show('shop'))[0]?.value === 'light');
    expect(await there.principals()).toEqual(['']);
    expect(await there.clear()).toBe(1);
    // Nothing of it is left, under any key.
    const plain = new Redis(redis.url);
    expect((await plain.keys('*')).filter((key) => key.includes('drawer'))).toEqual([]);
    plain.disconnect();
    await Promise.all([here.close(), there.close()]);
  });
});

describe.skipIf(!hasRedis)('a Redis that goes away', () => {
  it('D-23: a Redis that restarts empty loses no request, and gets what is in memory when it is back', async () => {
    const redis = await startRedis();
    const here = client(redis.url, 'gone');
    await here.load();
    await here.set('before', 1);
    await here.jars.sync!.flush();
    await redis.kill();
    await here.set('during', 2);
    expect(await here.values()).toEqual({ before: 1, during: 2 });
    expect(await flushed(here)).toBe(false);
    expect(here.problems().join()).toContain('could not be written');
    await redis.start();
    await until(() => flushed(here));
    const later = client(redis.url, 'gone');
    await later.load();
    expect(await later.values()).toEqual({ before: 1, during: 2 });
    await Promise.all([here, later].map(({ jars }) => jars.sync!.close()));
    await redis.stop();
  });

  it('D-23: a Redis that hangs loses no request either, and the change arrives once it wakes', async () => {
    const redis = await startRedis();
    const here = client(redis.url, 'hang');
    await here.load();
    redis.hang();
    await here.set('x', 1);
    expect(await here.values()).toEqual({ x: 1 });
    expect(await flushed(here)).toBe(false);
    // Another drawer is not in memory: its requests go on without it.
    const { values } = await here.jars.carry('', 'b.example.com', undefined);
    expect(values).toEqual({});
    redis.wake();
    await until(() => flushed(here));
    const later = client(redis.url, 'hang');
    await later.load();
    expect(await later.values()).toEqual({ x: 1 });
    await Promise.all([here, later].map(({ jars }) => jars.sync!.close()));
    await redis.stop();
  });

  it('a store that closes while it reconnects leaves nothing behind that fails', async () => {
    const redis = await startRedis();
    const door = await startDoor(redis.port);
    const own = new Redis(redis.url);
    const store = redisStore(door.url);
    store.watch({ changed: () => undefined, ended: () => undefined, problem: () => undefined });
    await until(async () => String(await own.pubsub('NUMSUB', 'waybill:changes')) === 'waybill:changes,1');
    const subscribed = door.swallow('SUBSCRIBE');
    door.drop();
    await subscribed;
    await store.close();
    await door.stop();
    own.disconnect();
    await redis.stop();
  });

  it('changes of others are heard once Redis is there, even if it was not when the jar was made', async () => {
    const redis = await startRedis();
    await redis.kill();
    const [one, other] = [client(redis.url, 'late'), client(redis.url, 'late')];
    expect([await one.values(), await other.values()]).toEqual([{}, {}]);
    await redis.start();
    await until(async () => {
      await one.set('x', 1);
      return (await flushed(one)) && (await other.values())['x'] === 1;
    });
    await one.set('x', 2);
    await one.jars.sync!.flush();
    await until(async () => (await other.values())['x'] === 2);
    await Promise.all([one, other].map(({ jars }) => jars.sync!.close()));
    await redis.stop();
  });

  it('a client that cannot be duplicated is reported, and still closes', async () => {
    const problems: string[] = [];
    const duplicate = (): never => {
      throw new Error('no more connections');
    };
    const store = redisStore({ call: async () => 0, duplicate, on: () => undefined, disconnect: () => undefined });
    store.watch({ changed: () => undefined, ended: () => undefined, problem: (text) => problems.push(text) });
    await store.close();
    expect(problems).toEqual(['does not report changes of others: no more connections']);
  });

  it('a Redis that was never there is reported, and requests go on', async () => {
    const here = client('redis://127.0.0.1:1', 'never');
    expect(await here.values()).toEqual({});
    await here.set('x', 1);
    expect(await here.values()).toEqual({ x: 1 });
    await until(() => here.problems().length > 0);
    expect(here.problems().join()).toContain('Redis cannot be reached: connect ECONNREFUSED 127.0.0.1:1');
  });
});
