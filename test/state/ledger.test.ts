import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientContext, type PolicyClientContext, type StatefulClientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import { redisStore, sqliteStore } from 'waybill/client/node';
import { policy } from 'waybill/client/policy';
import { hasRedis, startRedis, type TestRedis } from './redis.js';

/** The ledger in the stores that outlive a process (D-20). */

const folder = mkdtempSync(join(tmpdir(), 'waybill-ledger-'));
let redis: TestRedis | undefined;
let count = 0;
const open: StatefulClientContext[] = [];
beforeAll(async () => {
  if (hasRedis) redis = await startRedis();
});
afterAll(async () => {
  await Promise.all(open.map((waybill) => waybill.jar.close().catch(() => undefined)));
  await redis?.stop();
  rmSync(folder, { recursive: true });
});

type Host = StatefulClientContext & PolicyClientContext & { tell(server: string, principal?: string): Promise<void> };

/** A host on this store. It writes only when it is told to: its timers never run. */
function host(target: string): Host {
  const store = target.startsWith('redis:') ? redisStore(target) : sqliteStore(target);
  const rules = policy({ default: { locale: 'never' } }, { startTimer: () => () => undefined });
  const waybill = clientContext({ language: 'de', environment: { locale: 'de-AT' }, policy: rules, state: jar({ store }) });
  open.push(waybill);
  const transports = new Map<string, any>();
  let id = 0;
  const tell = async (server: string, principal?: string): Promise<void> => {
    const to = transports.get(server) ?? waybill.attach({ send: async () => undefined, close: async () => undefined } as any, { server });
    transports.set(server, to);
    const send = (): Promise<void> => to.send({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params: { name: 'x' } });
    await waybill.run(principal === undefined ? {} : { principal }, send);
  };
  return Object.assign(waybill, { tell });
}

/** For each server how often the language was sent and the locale withheld. */
async function told({ ledger }: Host, filter: { principal?: string; server?: string } = {}): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  for (const entry of await ledger.list(filter)) {
    const counts = (found[entry.server ?? ''] ??= [0, 0]);
    if (entry.field === 'language' && entry.outcome === 'sent') counts[0] = entry.count;
    if (entry.field === 'locale' && entry.outcome === 'withheld') counts[1] = entry.count;
  }
  return found;
}

async function teller(target: string, calls: number): Promise<void> {
  const script = fileURLToPath(new URL('./teller.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, target, String(calls)], { stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the teller ended with ${String(code)}`);
}

const stores = [
  { name: 'sqliteStore', fresh: () => Promise.resolve(join(folder, `${++count}.db`)), damage: damageFile, isThere: true },
  { name: 'redisStore', fresh: freshRedis, damage: damageRedis, isThere: hasRedis },
];

async function freshRedis(): Promise<string> {
  const client = new Redis(redis!.url);
  await client.flushall();
  await client.quit();
  return redis!.url;
}

/** Breaks the entries about one server. */
function damageFile(file: string, server: string): Promise<number> {
  const database = new Database(file);
  const { changes } = database.prepare(`UPDATE items SET body = '[["language",' WHERE name LIKE ?`).run(`%${server}%`);
  database.close();
  return Promise.resolve(changes);
}

async function damageRedis(url: string, server: string): Promise<number> {
  const client = new Redis(url);
  let changes = 0;
  for (const key of await client.keys('*')) {
    if ((await client.type(key)) !== 'hash') continue;
    for (const [field, body] of Object.entries(await client.hgetall(key))) {
      if (!field.includes(server) || !body.includes('language')) continue;
      await client.hset(key, field, body.replace(/\[\[.*$/s, '[["language",'));
      changes++;
    }
  }
  await client.quit();
  return changes;
}

for (const { name, fresh, damage, isThere } of stores)
  describe.skipIf(!isThere)(name, () => {
    it('entries survive a restart, by server and principal', async () => {
      const target = await fresh();
      const before = host(target);
      await before.tell('shop');
      await before.tell('shop');
      await before.tell('bank', 'ada');
      await before.jar.close();
      const after = host(target);
      expect(await told(after)).toEqual({ shop: [2, 2] });
      expect(await told(after, { principal: 'ada' })).toEqual({ bank: [1, 1] });
      expect([...(await after.ledger.principals())].sort()).toEqual(['', 'ada']);
      expect(await after.jar.principals()).toEqual([]);
      const [entry] = await after.ledger.list({ server: 'shop' });
      expect(entry!.first).toBeLessThanOrEqual(entry!.last);
      await after.tell('shop');
      expect(await told(after)).toEqual({ shop: [3, 3] });
    });

    it('two processes that write at the same time lose no count and count nothing twice', async () => {
      const target = await fresh();
      // The file exists before both open it.
      const here = host(target);
      await here.tell('shop');
      await here.jar.flush();
      await Promise.all([teller(target, 40), teller(target, 40)]);
      const entries = await here.ledger.list({ server: 'shop' });
      const total = (field: string, outcome: string): number | undefined =>
        entries.find((entry) => entry.field === field && entry.outcome === outcome)?.count;
      expect([total('language', 'sent'), total('trace', 'withheld')]).toEqual([81, 80]);
    });

    it('two contexts that flush at the same time add up', async () => {
      const target = await fresh();
      const hosts = [host(target), host(target)];
      for (let round = 0; round < 10; round++) {
        await Promise.all(hosts.flatMap((one) => [one.tell('shop'), one.tell('bank')]));
        await Promise.all(hosts.map((one) => one.ledger.flush()));
      }
      expect(await told(host(target))).toEqual({ shop: [20, 20], bank: [20, 20] });
    });

    it('clear erases the entries of one server, or of one principal, for every host', async () => {
      const target = await fresh();
      const [one, other] = [host(target), host(target)] as const;
      for (const server of ['shop', 'bank']) {
        await one.tell(server);
        await one.tell(server, 'ada');
      }
      await one.ledger.flush();
      await other.tell('shop');
      expect(await other.ledger.clear({ server: 'shop' })).toBeGreaterThan(0);
      expect([await told(one), await told(other)]).toEqual([{ bank: [1, 1] }, { bank: [1, 1] }]);
      await other.jar.clear();
      expect([await told(one), await told(one, { principal: 'ada' })]).toEqual([{}, { shop: [1, 1], bank: [1, 1] }]);
      await other.jar.clear({ principal: 'ada' });
      expect([await told(host(target), { principal: 'ada' }), await host(target).ledger.principals()]).toEqual([{}, []]);
    });

    it('a damaged row costs only itself, and the next entry about its server replaces it', async () => {
      const target = await fresh();
      const before = host(target);
      for (const server of ['shop', 'bank']) await before.tell(server);
      await before.jar.close();
      expect(await damage(target, 'shop')).toBe(1);
      const after = host(target);
      expect(await told(after)).toEqual({ bank: [1, 1] });
      await after.tell('shop');
      await after.tell('bank');
      await after.ledger.flush();
      expect(await told(host(target))).toEqual({ shop: [1, 1], bank: [2, 2] });
    });
  });
