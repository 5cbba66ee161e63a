import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Redis as Redis5 } from 'ioredis5';
import { afterAll, describe, expect, it } from 'vitest';
import { memoryStore, type StateStore } from 'waybill/client/jar';
import { redisStore, sqliteStore } from 'waybill/client/node';
import { hasRedis, startRedis, type TestRedis } from './redis.js';

/** Every store keeps the same promises; each test gets two clients of one store, like two processes. */

const folder = mkdtempSync(join(tmpdir(), 'waybill-stores-'));
let redis: Promise<TestRedis> | undefined;
const open: StateStore[] = [];
const clients: Redis5[] = [];
let count = 0;
afterAll(async () => {
  for (const store of open) await store.close();
  for (const client of clients) client.disconnect();
  await (await redis)?.stop();
  rmSync(folder, { recursive: true });
});

const kinds: Record<string, () => Promise<readonly [StateStore, StateStore]>> = {
  memory: async () => {
    const store = memoryStore();
    return [store, store];
  },
  SQLite: async () => {
    const file = join(folder, 'deep', `${++count}.db`);
    return [sqliteStore(file), sqliteStore(file)];
  },
  Redis: async () => {
    const { url } = await (redis ??= startRedis());
    const prefix = `test${++count}`;
    return [redisStore(url, { prefix }), redisStore(url, { prefix })];
  },
  'Redis with ioredis 5': async () => {
    const { url } = await (redis ??= startRedis());
    const prefix = `test${++count}`;
    const own = new Redis5(url);
    clients.push(own);
    return [redisStore(own, { prefix }), redisStore(own, { prefix })];
  },
};

const at = { principal: 'ann', server: 'a.example' };
const odd = [
  '',
  '__proto__',
  'constructor',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00\ud800',
  '😀',
  '"',
  "'",
  '\\',
  '{x}',
  '}{',
  '*',
  '%',
  '\u2028',
  ' a ',
  '\r\n',
  'null',
  'Ω'.repeat(300),
];

describe.each(Object.keys(kinds))('a store: %s', (kind) => {
  const test = it.skipIf(kind.startsWith('Redis') && !hasRedis);
  const make = async (): Promise<readonly [StateStore, StateStore]> => {
    const stores = await kinds[kind]!();
    open.push(...new Set(stores));
    return stores;
  };

  test('the store keeps what it gets, and each client sees what the other wrote', async () => {
    const [one, other] = await make();
    expect((await one.load(at)).rows).toEqual([]);
    const [saved] = await one.save([{ ...at, epoch: undefined, changes: [{ place: null, name: 'x', expected: 0, body: '{"x":1}' }] }]);
    const [{ revision }] = saved!.outcomes as [{ revision: number }];
    expect(revision).toBeGreaterThan(0);
    expect(await other.load(at)).toEqual({ epoch: saved!.epoch, rows: [{ place: null, name: 'x', revision, body: '{"x":1}' }] });
    expect(await other.load({ ...at, principal: 'bob' })).toMatchObject({ rows: [] });
    expect(await other.drawers('ann')).toEqual([{ server: 'a.example', items: 1 }]);
    expect(await other.principals()).toEqual(['ann']);
    await one.save([{ ...at, server: 'b', epoch: saved!.epoch, changes: [{ place: null, name: 'x', expected: 0, body: '1' }] }]);
    expect(await other.principals(), 'a principal with two drawers').toEqual(['ann']);
  });

  test('D-23: a change is accepted only on the revision it is based on; otherwise the store returns the current row', async () => {
    const [one, other] = await make();
    const change = (expected: number, body: string | undefined) => [
      { ...at, epoch: undefined, changes: [{ place: 'c', name: 'x', expected, body }] },
    ];
    const first = ((await one.save(change(0, 'a')))[0]!.outcomes as [{ revision: number }])[0].revision;
    const second = ((await other.save(change(first, 'b')))[0]!.outcomes as [{ revision: number }])[0].revision;
    expect((await one.save(change(first, 'c')))[0]!.outcomes).toEqual([{ found: { place: 'c', name: 'x', revision: second, body: 'b' } }]);
    expect((await one.save(change(0, 'c')))[0]!.outcomes).toMatchObject([{ found: { body: 'b' } }]);
    expect((await one.save(change(second, undefined)))[0]!.outcomes).toEqual([{ revision: 0 }]);
    expect((await other.save(change(second, 'd')))[0]!.outcomes).toEqual([{ found: undefined }]);
    const again = ((await other.save(change(0, 'e')))[0]!.outcomes as [{ revision: number }])[0].revision;
    expect(again).toBeGreaterThan(second);
  });

  test('an ended conversation is forgotten everywhere, and nothing is kept for it any more', async () => {
    const [one, other] = await make();
    const changes = ['c', 'cc', null, '"c"'].map((place) => ({ place, name: 'x', expected: 0, body: '1' }));
    await one.save([
      { ...at, epoch: undefined, changes },
      { principal: 'ann', server: 'b', epoch: undefined, changes },
      { principal: 'bob', server: 'b', epoch: undefined, changes },
    ]);
    await other.end('ann', 'c');
    for (const server of ['a.example', 'b'])
      expect((await one.load({ principal: 'ann', server })).rows.map(({ place }) => place).sort()).toEqual(['"c"', 'cc', null].sort());
    expect((await one.load({ principal: 'bob', server: 'b' })).rows).toHaveLength(4);
    const late = await one.save([{ ...at, epoch: undefined, changes: [{ place: 'c', name: 'y', expected: 0, body: '1' }] }]);
    expect(late[0]!.outcomes).toEqual([{ ended: true }]);
  });

  test('changes of another epoch are refused, and an empty drawer leaves no trace', async () => {
    const [one] = await make();
    const change = { place: null, name: 'x', expected: 0, body: '1' };
    const [saved] = await one.save([{ ...at, epoch: undefined, changes: [change] }]);
    expect((await one.save([{ ...at, epoch: 'another', changes: [{ ...change, name: 'y' }] }]))[0]).toEqual({
      epoch: saved!.epoch,
      outcomes: undefined,
    });
    const { rows } = await one.load(at);
    expect(rows.map(({ name }) => name)).toEqual(['x']);
    await one.save([{ ...at, epoch: saved!.epoch, changes: [{ ...change, expected: rows[0]!.revision, body: undefined }] }]);
    expect([await one.drawers('ann'), await one.principals()]).toEqual([[], []]);
  });

  test('STATE-42: any text is a principal, a server, a conversation, a name and a value', async () => {
    const [one, other] = await make();
    for (const text of odd) {
      const drawer = { principal: text, server: text };
      const changes = [text, null].map((place) => ({ place, name: text, expected: 0, body: JSON.stringify([text]) }));
      await one.save([{ ...drawer, epoch: undefined, changes }]);
      const { rows } = await other.load(drawer);
      expect(rows.map(({ place, name, body }) => [place, name, JSON.parse(body) as unknown]).sort()).toEqual(
        [
          [text, text, [text]],
          [null, text, [text]],
        ].sort(),
      );
      expect(await other.drawers(text)).toEqual([{ server: text, items: 2 }]);
    }
    expect([...(await other.principals())].sort()).toEqual([...odd].sort());
  });

  test('two different names are never the same', async () => {
    const [one] = await make();
    const name = fc.oneof(
      fc.array(fc.nat(0xffff), { maxLength: 4 }).map((units) => String.fromCharCode(...units)),
      fc.constantFrom('a', 'a.', '["a"', 'a","b'),
    );
    await fc.assert(
      fc.asyncProperty(fc.tuple(name, name, fc.option(name), name), fc.tuple(name, name, fc.option(name), name), async (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b));
        const row = ([principal, server, place, item]: typeof a, body: string) => ({
          principal,
          server,
          epoch: undefined,
          changes: [{ place, name: item, expected: 0, body }],
        });
        const key = ([principal, server]: typeof a) => ({ principal, server });
        const erase = async (of: typeof a) => {
          const { rows } = await one.load(key(of));
          await one.save([
            {
              ...key(of),
              epoch: undefined,
              changes: rows.map(({ place, name: item, revision }) => ({ place, name: item, expected: revision, body: undefined })),
            },
          ]);
        };
        await one.save([row(a, '"a"'), row(b, '"b"')]);
        const found = async (of: typeof a) =>
          (await one.load(key(of))).rows.find((each) => each.place === of[2] && each.name === of[3])?.body;
        expect([await found(a), await found(b)]).toEqual(['"a"', '"b"']);
        await erase(a);
        await erase(b);
      }),
      { numRuns: 25 },
    );
  });

  test('the store reports changes of others, until nobody listens', async () => {
    const [one, other] = await make();
    const heard: unknown[] = [];
    const told = new Promise<void>((resolve) => {
      one.watch({
        changed: (drawer) => void heard.push(drawer),
        ended: (principal, conversation) => {
          heard.push([principal, conversation]);
          resolve();
        },
        problem: (text) => void heard.push(text),
      });
    });
    await one.load(at);
    // A watcher that is being set up hears nothing yet, so the change is repeated until it does.
    let over = false;
    void told.then(() => (over = true));
    for (let n = 0; !over && n < 500; n++) {
      await other.save([{ ...at, epoch: undefined, changes: [{ place: null, name: `n${n}`, expected: 0, body: '1' }] }]);
      await other.end('ann', 'c');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await told;
    expect(heard).toContainEqual(['ann', 'c']);
    expect(heard).toContainEqual(at);
  });
});
