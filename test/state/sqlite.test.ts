import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'libsql';
import { afterAll, describe, expect, it } from 'vitest';
import type { Issue, Json } from 'waybill';
import { Jars, type StateToSend } from '../../packages/waybill/dist/client/jar/jars.js';
import { clientContext } from 'waybill/client';
import { jar as jarOf, type StateJar } from 'waybill/client/jar';
import { sqliteStore } from 'waybill/client/node';
import { found, missing, Writer } from './writers.js';

const folder = mkdtempSync(join(tmpdir(), 'waybill-sqlite-'));
const open: Jars[] = [];
let count = 0;
afterAll(async () => {
  await Promise.all(open.map((jars) => jars.sync!.close().catch(() => undefined)));
  rmSync(folder, { recursive: true });
});
const fresh = (): string => join(folder, `${++count}`, 'state.db');

function client(file: string, options: { lockTimeout?: number } = {}) {
  const issues: Issue[] = [];
  const jars = new Jars({ store: sqliteStore(file, options) }, (issue) => issues.push(issue));
  open.push(jars);
  // A starting thread may take longer than a request waits; this test looks at what comes after that.
  const ready = jars.sync!.load(jars.open('', 'a.example.com')).catch(() => undefined);
  const carry = async (): Promise<StateToSend> => ready.then(() => jars.carry('', 'a.example.com', undefined));
  return {
    jars,
    problems: () => issues.map(({ problem }) => problem),
    carry,
    set: async (name: string, value: Json) => jars.apply((await carry()).ticket, { server: new Map([[name, value]]) }),
    values: async () => Object.fromEntries((await carry()).values.server ?? []),
  };
}
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const hash = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('the file', () => {
  it('only the owner can read the file and the folder that is made for it', async () => {
    const file = fresh();
    const { set, jars } = client(file);
    await set('x', 1);
    await jars.sync!.flush();
    expect([mode(join(file, '..')), mode(file), mode(`${file}-wal`), mode(`${file}-shm`)]).toEqual(['700', '600', '600', '600']);
    await jars.sync!.close();
    chmodSync(file, 0o644);
    const again = client(file);
    expect(await again.values()).toEqual({ x: 1 });
    expect(mode(file)).toBe('600');
  });

  it('the file is read before the first request leaves, even if its thread is still starting', async () => {
    const file = fresh();
    const before = client(file);
    await before.set('cart', ['a']);
    await before.jars.sync!.close();
    const jars = new Jars({ store: sqliteStore(file) });
    open.push(jars);
    const { values } = await jars.carry('', 'a.example.com', undefined);
    expect(values.server).toEqual(new Map([['cart', ['a']]]));
  });

  it('a file of a newer version is refused, and not a byte of it changes', async () => {
    const file = fresh();
    const { set, jars } = client(file);
    await set('x', 1);
    await jars.sync!.close();
    const database = new Database(file);
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA user_version = 2; CREATE TABLE future (x)');
    database.close();
    const [before, files] = [hash(file), readdirSync(join(file, '..'))];
    const later = client(file);
    expect(await later.values()).toEqual({});
    await later.set('y', 2);
    expect(await later.values()).toEqual({ y: 2 });
    await expect(later.jars.sync!.flush()).rejects.toThrow();
    expect(later.problems().join()).toContain('version 2');
    expect([hash(file), readdirSync(join(file, '..'))]).toEqual([before, files]);
  });

  it('a file of another program is refused, and not a byte of it changes', async () => {
    const file = join(folder, 'foreign.db');
    const database = new Database(file);
    database.exec('CREATE TABLE bookmarks (url)');
    database.close();
    chmodSync(file, 0o640);
    const before = hash(file);
    const { values, problems } = client(file);
    expect(await values()).toEqual({});
    expect(problems().join()).toContain('another program');
    expect(hash(file)).toBe(before);
    expect(mode(file)).toBe('640');
  });

  it.runIf(process.platform === 'linux')('a path that is not a file is neither waited for nor changed', async () => {
    const file = fresh();
    mkdirSync(join(file, '..'));
    execFileSync('mkfifo', ['-m', '640', file]);
    const { values, problems, jars } = client(file);
    expect(await values()).toEqual({});
    expect(problems().join()).toContain('the path is not a file that could hold a database');
    await jars.sync!.close();
    expect([mode(file), statSync(file).isFIFO()]).toEqual(['640', true]);
  });

  it.each<[string, (file: string) => void]>([
    ['settings', (file) => writeFileSync(file, '{"precious":true}')],
    ['an image that begins with zeros', (file) => writeFileSync(file, Buffer.concat([Buffer.alloc(32_768), Buffer.from('CD001')]))],
    ['a long text', (file) => writeFileSync(file, 'this is no database, and long enough not to be taken for an empty one'.repeat(100))],
    [
      'a broken database',
      (file) => {
        const database = new Database(file);
        database.exec(`CREATE TABLE bookmarks (url); INSERT INTO bookmarks VALUES ('${'x'.repeat(20_000)}')`);
        database.close();
        writeFileSync(file, readFileSync(file).fill(0xaa, 4_096, 12_000));
      },
    ],
  ])('a file of another program (%s) is not moved aside either', async (_what, write) => {
    const file = fresh();
    mkdirSync(join(file, '..'));
    write(file);
    const before = hash(file);
    const { values, problems, jars } = client(file);
    expect(await values()).toEqual({});
    expect(problems().join()).toContain('was not changed');
    await jars.sync!.close().catch(() => undefined);
    expect(readdirSync(join(file, '..'))).toEqual([basename(file)]);
    expect(hash(file)).toBe(before);
  });

  it('a file whose log says that it is ours is moved aside, in any condition', async () => {
    const file = fresh();
    const first = client(file);
    for (let n = 0; n < 20; n++) await first.set(`n${n}`, 'x'.repeat(2_000));
    await first.jars.sync!.flush();
    const log = readFileSync(`${file}-wal`);
    await first.jars.sync!.close();
    writeFileSync(file, 'overwritten '.repeat(1_000));
    writeFileSync(`${file}-wal`, log);
    const { values, problems } = client(file);
    expect(await values()).toEqual({});
    expect(problems().join()).toContain('it was moved to');
  });

  it.each<[string, (file: string) => void]>([
    ['zeros', (file) => writeFileSync(file, Buffer.alloc(8192))],
    ['cut short', (file) => writeFileSync(file, readFileSync(file).subarray(0, 5_000))],
    ['overwritten in the middle', (file) => writeFileSync(file, readFileSync(file).fill(0xaa, 4_096, 12_000))],
  ])('a corrupt file (%s) is moved aside with a clear message, and the jar goes on', async (_how, damage) => {
    const file = fresh();
    const first = client(file);
    for (let n = 0; n < 20; n++) await first.set(`n${n}`, 'x'.repeat(2_000));
    await first.jars.sync!.close();
    damage(file);
    const damaged = hash(file);
    const { set, values, jars, problems } = client(file);
    await values();
    await set('y', 2);
    await jars.sync!.flush();
    expect(await values()).toEqual({ y: 2 });
    expect(problems().some((problem) => problem.includes('it was moved to'))).toBe(true);
    const aside = readdirSync(join(file, '..')).find((name) => name.includes('.corrupt-') && !/-(?:wal|shm)$/.test(name))!;
    expect(hash(join(file, '..', aside))).toBe(damaged);
    await jars.sync!.close();
    expect(await client(file).values()).toEqual({ y: 2 });
  });

  it.each<[string, (jar: StateJar) => Promise<unknown>]>([
    ['list', (jar) => jar.list()],
    ['principals', (jar) => jar.principals()],
    ['export', (jar) => jar.export()],
    ['clear', (jar) => jar.clear()],
    ['show', (jar) => jar.show('shop')],
  ])('a corrupt file is reported at once if only the jar is read: %s', async (_call, look) => {
    const file = fresh();
    mkdirSync(join(file, '..'));
    writeFileSync(file, Buffer.alloc(8192));
    const issues: Issue[] = [];
    const { jar } = clientContext({ state: jarOf({ store: sqliteStore(file) }), onIssue: (issue) => issues.push(issue) });
    await look(jar);
    expect(issues.map(({ problem }) => problem)).toEqual([expect.stringContaining('it was moved to')]);
    await jar.close();
  });

  it('deleted values are gone from the file', async () => {
    const file = fresh();
    const { set, jars } = client(file);
    await set('x', 'secret '.repeat(300));
    await jars.sync!.flush();
    await set('x', null);
    await jars.sync!.close();
    for (const name of readdirSync(join(file, '..'))) expect(readFileSync(join(file, '..', name)).includes('secret secret')).toBe(false);
  });

  it('a file that cannot be opened is reported, and requests go on', async () => {
    writeFileSync(join(folder, 'no-folder'), '');
    const { set, values, problems } = client(join(folder, 'no-folder', 'state.db'));
    expect(await values()).toEqual({});
    await set('x', 1);
    expect(await values()).toEqual({ x: 1 });
    expect(problems().join()).toContain('could not be read');
    expect(() => sqliteStore('')).toThrow(TypeError);
    for (const lockTimeout of [-1, Number.NaN, 2 ** 31]) expect(() => sqliteStore('state.db', { lockTimeout })).toThrow(RangeError);
    expect(() => sqliteStore('state.db', { lockTimout: 5 } as never)).toThrow(
      'sqliteStore.lockTimout: unknown option; did you mean lockTimeout?',
    );
  });
});

describe('closing', () => {
  it('two closes at once close once, and afterwards the store can be used again', async () => {
    const file = fresh();
    const kept = (): unknown => {
      // The last one to close the file removes its log: nobody holds it open. A copy is read, so that this stays true.
      expect(readdirSync(join(file, '..'))).toEqual([basename(file)]);
      const copy = join(folder, `copy${++count}.db`);
      copyFileSync(file, copy);
      const database = new Database(copy);
      const bodies = database.prepare('SELECT body FROM items').all() as { body: string }[];
      database.close();
      return bodies.map(({ body }) => (JSON.parse(body) as { values: [string, Json][] }).values.map(([, value]) => value));
    };
    const issues: Issue[] = [];
    const { jar } = clientContext({ state: jarOf({ store: sqliteStore(file) }), onIssue: (issue) => issues.push(issue) });
    await jar.edit('shop', 'x', 1);
    await Promise.all([jar.close(), jar.close()]);
    expect(kept()).toEqual([[1]]);
    await jar.close();
    await jar.edit('shop', 'x', 2);
    expect(await jar.show('shop')).toMatchObject([{ name: 'x', value: 2 }]);
    await Promise.all([jar.close(), jar.close()]);
    expect(kept()).toEqual([[2]]);
    expect(issues).toEqual([]);
  });
});

describe('a lock that another process holds', () => {
  it('it stops neither this thread nor a request, and the change reaches the file', async () => {
    const file = fresh();
    const { set, values, jars } = client(file);
    await set('x', 1);
    await jars.sync!.flush();
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 1);
    await set('y', 2);
    const flushed = jars.sync!.flush();
    let over = false;
    void flushed.then(() => (over = true));
    for (const until = ticks + 40; ticks < until;) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(over).toBe(false);
    expect(await values()).toEqual({ x: 1, y: 2 });
    // Reading does not wait for the writer.
    expect(await client(file).values()).toEqual({ x: 1 });
    other.exec('COMMIT');
    await flushed;
    clearInterval(ticking);
    other.close();
    await jars.sync!.close();
    expect(await client(file).values()).toEqual({ x: 1, y: 2 });
  });
});

describe('kill -9', () => {
  it('D-23: in the middle of writing, many times: the file opens, and every acknowledged write is there', async () => {
    const file = fresh();
    const writers: Writer[] = [];
    for (let round = 0; round < 8; round++) {
      const writer = new Writer(file, `w${round}`, 1_000);
      writers.push(writer);
      await writer.killAfter(3 + (round % 5), round % 4);
    }
    const store = sqliteStore(file);
    const state = await found(store);
    await store.close();
    expect(writers.every(({ acknowledged }) => acknowledged.length >= 3)).toBe(true);
    expect(missing(writers, state)).toEqual([]);
    expect(readdirSync(join(file, '..')).some((name) => name.includes('corrupt'))).toBe(false);
    expect(existsSync(file)).toBe(true);
  });
});

describe('two processes on one file', () => {
  it('D-23: two processes lose no acknowledged write, neither under their own names nor in a shared cart', async () => {
    const file = fresh();
    const writers = [new Writer(file, 'a', 60), new Writer(file, 'b', 60)];
    await Promise.all(writers.map(({ over }) => over));
    expect(writers.map(({ acknowledged }) => acknowledged.length)).toEqual([60, 60]);
    const store = sqliteStore(file);
    expect(missing(writers, await found(store))).toEqual([]);
    await store.close();
  });
});
