import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientContext } from 'waybill/client';
import { jar as jarOf } from 'waybill/client/jar';
import { sqliteStore } from 'waybill/client/node';

const folder = mkdtempSync(join(tmpdir(), 'waybill-damage-'));
const original = join(folder, 'original.db');
let count = 0;
afterAll(() => {
  rmSync(folder, { recursive: true });
});

beforeAll(async () => {
  const { jar } = clientContext({ state: jarOf({ store: sqliteStore(original) }) });
  const conversation = jar.resume('talk');
  for (const name of ['a', 'b', 'c']) await jar.edit('shop', name, `value of ${name}`);
  await jar.edit('shop', 'cart', [1], { conversation });
  await jar.edit('bank', 'account', 'x'.repeat(6_000));
  await jar.close();
  // One file without a log, so that the damaged bytes are the ones that are read.
  const database = new Database(original);
  database.exec('PRAGMA journal_mode = DELETE');
  database.close();
});

function copy(): string {
  const file = join(folder, `${++count}.db`);
  copyFileSync(original, file);
  return file;
}

function change(file: string, sql: string): void {
  const database = new Database(file);
  database.exec(sql);
  database.close();
}

interface Read {
  readonly names: string[];
  readonly principals: string[];
  readonly drawers: { server: string; items: number }[];
  readonly written: string;
  readonly ended: string;
  readonly problems: string[];
}

/** Runs in its own process: a driver that aborts ends the process, not only a thread. */
function read(files: readonly string[], nodeOptions: readonly string[] = []): Read[] {
  const script = fileURLToPath(new URL('./reader.mjs', import.meta.url));
  const child = spawnSync(process.execPath, [...nodeOptions, script, ...files], { encoding: 'utf8' });
  expect({ status: child.status, signal: child.signal, stderr: child.stderr }).toEqual({ status: 0, signal: null, stderr: '' });
  return child.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Read);
}

const BAD = "CAST(x'22C3283A22' AS TEXT)";
const DAMAGED = 'is damaged: 1 of its rows cannot be read; they are ignored and deleted';

type Row = readonly [what: string, sql: string];
const LOST: readonly Row[] = [
  ['the body of an item', `UPDATE items SET body = ${BAD} WHERE name = '"b"'`],
  ['the name of an item', `UPDATE items SET name = ${BAD} WHERE name = '"b"'`],
  ['the place of an item', `UPDATE items SET place = ${BAD} WHERE name = '"b"'`],
  ['the revision of an item', `UPDATE items SET revision = ${BAD} WHERE name = '"b"'`],
  ['the revision of an item, which is too large', `UPDATE items SET revision = 9007199254740993 WHERE name = '"b"'`],
  ['the name of an item, in another spelling', `UPDATE items SET name = ' "b"' WHERE name = '"b"'`],
];
const HIDDEN: readonly Row[] = [
  ['server', `UPDATE items SET server = ${BAD} WHERE name = '"account"'`],
  ['principal', `UPDATE items SET principal = ${BAD} WHERE name = '"account"'`],
];
const HARMLESS: readonly Row[] = [
  ['the epoch', `UPDATE about SET value = ${BAD} WHERE name = 'epoch'`],
  ['the last change', `UPDATE sqlite_sequence SET seq = ${BAD}`],
  ['all changes', `UPDATE changes SET principal = ${BAD}, server = ${BAD}, conversation = ${BAD}, at = ${BAD}`],
  ['all that ended', `INSERT INTO ended VALUES (${BAD}, ${BAD}, ${BAD})`],
];
const USELESS: readonly Row[] = [
  ['the clock is a text', `UPDATE about SET value = ${BAD} WHERE name = 'clock'`],
  ['the clock is at its end', `UPDATE about SET value = 9223372036854775807 WHERE name = 'clock'`],
  ['the epoch is gone', `DELETE FROM about WHERE name = 'epoch'`],
  ['a table is gone', `DROP TABLE changes`],
  ['a column has another name', `ALTER TABLE items RENAME COLUMN body TO bodz`],
];
const ROWS = [...LOST, ...HIDDEN, ...HARMLESS, ...USELESS];

describe('a jar file with one bad byte', () => {
  /** One file for each row. Two processes read all of them, one after the other: the second sees what the first left. */
  let files: string[];
  let readings: [Read[], Read[]];
  beforeAll(() => {
    files = ROWS.map(([, sql]) => {
      const file = copy();
      change(file, sql);
      return file;
    });
    readings = [read(files), read(files)];
  }, 120_000);
  const found = (row: Row): { file: string; first: Read; second: Read } => {
    const at = ROWS.indexOf(row);
    return { file: files[at]!, first: readings[0][at]!, second: readings[1][at]! };
  };

  it.for(LOST)('only the damaged row is lost, once, and that is reported: %s', (row) => {
    const { file, first, second } = found(row);
    expect(first).toMatchObject({ names: ['a', 'c'], written: 'written', ended: 'ended' });
    expect(first.problems).toEqual([`${file} ${DAMAGED}`]);
    expect(second).toMatchObject({ names: ['a', 'c', 'new'], problems: [] });
  });

  it.for(HIDDEN)('the readable part is listed: %s', (row) => {
    const { file, first, second } = found(row);
    expect(first).toMatchObject({ principals: [''], drawers: [{ server: 'shop', items: 4 }], problems: [`${file} ${DAMAGED}`] });
    expect(second.problems).toEqual([]);
    const database = new Database(file);
    expect(database.prepare("SELECT count(*) AS rows FROM items WHERE hex(body) LIKE '%7878%'").get()).toMatchObject({ rows: 0 });
    database.close();
  });

  it('a write works although a damaged row is in the way', () => {
    const file = copy();
    change(file, `INSERT INTO items SELECT principal, server, place, '"new"', 90, ${BAD} FROM items WHERE name = '"a"'`);
    expect(read([file])[0]).toMatchObject({ names: ['a', 'b', 'c'], written: 'written' });
    expect(read([file])[0]).toMatchObject({ names: ['a', 'b', 'c', 'new'], problems: [] });
  });

  it('a good row that replaced a damaged one before it was deleted is kept', async () => {
    const file = copy();
    change(file, `UPDATE items SET body = ${BAD} WHERE name = '"b"'`);
    const store = sqliteStore(file);
    await store.starting;
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    expect((await store.load({ principal: '', server: 'shop' })).rows.map(({ name }) => name)).toEqual(['a', 'c', 'cart']);
    other.exec(`UPDATE items SET body = 'whole' WHERE name = '"b"'; COMMIT`);
    other.close();
    await store.close();
    const { rows } = await store.load({ principal: '', server: 'shop' });
    expect(rows.find(({ name }) => name === 'b')?.body).toBe('whole');
    await store.close();
  });

  it('the whole file is read again if its log of changes is damaged', async () => {
    const file = copy();
    const store = sqliteStore(file);
    await store.starting;
    const changed = new Promise((resolve) => {
      store.watch({ changed: resolve, ended: () => undefined, problem: () => undefined });
    });
    // The thread knows the watcher once it has answered.
    await store.principals();
    change(file, `INSERT INTO changes (principal, server, conversation, at) VALUES ('""', ${BAD}, NULL, 1)`);
    expect(await changed).toBeUndefined();
    await store.close();
  });

  it.for(HARMLESS)('nothing is lost if no item is damaged: %s', (row) => {
    expect(found(row).first).toMatchObject({ names: ['a', 'b', 'c'], written: 'written', ended: 'ended', problems: [] });
  });

  it.for(USELESS)('the file is moved aside if it cannot be used: %s', (row) => {
    const { first, second } = found(row);
    expect(first).toMatchObject({ names: [], written: 'written', problems: [expect.stringContaining('it was moved to')] });
    expect(second).toMatchObject({ names: ['new'], problems: [] });
  });
});

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let at = seed; ;) yield (at = (Math.imul(at, 1_103_515_245) + 12_345) >>> 0) >>> 8;
}

describe('a jar file with flipped bytes', () => {
  it('flipped bytes never end the host: each file is read, moved aside, or left unchanged', { timeout: 120_000 }, () => {
    const bytes = readFileSync(original);
    const next = numbers(7);
    const files = Array.from({ length: 60 }, (_, round) => {
      const damaged = Buffer.from(bytes);
      // Half of the files are damaged where the text is: in the cells, at the end of each page.
      for (let flips = 0; flips < 1 + (round % 4); flips++) {
        const page = (next.next().value % (bytes.length / 4_096)) * 4_096;
        const at = round % 2 === 0 ? next.next().value % 4_096 : 3_500 + (next.next().value % 596);
        damaged[page + at]! ^= 1 << (next.next().value % 8);
      }
      const file = copy();
      writeFileSync(file, damaged);
      return file;
    });
    const found = read(files);
    expect(found).toHaveLength(files.length);
    for (const { written, problems } of found) expect(written === 'written' || problems.length > 0).toBe(true);
  });
});

describe('the thread of the store', () => {
  it('the thread does not inherit the options of the host', () => {
    const [log, hook] = [join(folder, 'log'), join(folder, 'hook.mjs')];
    writeFileSync(hook, `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(log)}, 'run ');`);
    read([copy()], ['--import', hook]);
    expect(readFileSync(log, 'utf8')).toBe('run ');
  });
});
