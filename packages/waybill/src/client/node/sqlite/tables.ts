import type { StoreChange, DrawerChanges, DrawerName, DrawerSize, StoreLoaded, StoreOutcome, StoreSaved } from '../../jar/store.js';
import { readName, writeName } from '../names.js';
import { asBytes, hexOf, rowOf, textOf, type Columns } from './columns.js';
import { rollBack, type Database, type Statement } from './driver.js';

/** A change that other processes learn: a drawer changed, or a conversation ended. */
interface Told {
  readonly principal: string;
  readonly server?: string;
  readonly conversation?: string;
}

/** Milliseconds that a change is kept for others; a process that was away longer reads everything again. */
const TOLD_FOR = 60_000;
/** Milliseconds that the end of a conversation is remembered, so that a late answer sets nothing for it. */
const ENDED_FOR = 30 * 86_400_000;

const ROW = asBytes('place', 'name', 'revision', 'body');

/**
 * The store's operations in SQL. Names are written as JSON text. Every text is read as bytes and decoded here; a row that cannot be decoded
 * is left out, reported and deleted.
 */
export class Tables {
  readonly #database: Database;
  readonly #report: (problem: string) => void;
  readonly #statements = new Map<string, Statement>();
  /** Columns of unreadable rows, as they were found. */
  #damaged: Columns[] = [];
  readonly #epoch: string;
  /** The number of the last change of others that was read. */
  #seen: number;
  #version: unknown;

  constructor(database: Database, report: (problem: string) => void) {
    this.#database = database;
    this.#report = report;
    // A damaged epoch works as well: it is only compared, and every reader of this file gets the same.
    this.#epoch = hexOf(this.#sql(`SELECT ${asBytes('value')} FROM about WHERE name = 'epoch'`).get()?.['value']);
    this.#seen = this.#last();
    this.#version = this.#dataVersion();
  }

  load({ principal, server }: DrawerName): StoreLoaded {
    // Sorted by the number, not by the selected column: as bytes, 10 comes before 9.
    const found = this.#sql(`SELECT ${ROW} FROM items WHERE principal = ? AND server = ? ORDER BY items.revision`).all(
      writeName(principal),
      writeName(server),
    );
    const rows = found.map(rowOf);
    this.#remember(found.filter((_, at) => rows[at] === undefined));
    return { epoch: this.#epoch, rows: rows.filter((row) => row !== undefined) };
  }

  save(batch: readonly DrawerChanges[]): readonly StoreSaved[] {
    return this.#transaction(() =>
      batch.map(({ principal, server, epoch, changes }) => {
        if (epoch !== undefined && epoch !== this.#epoch) return { epoch: this.#epoch, outcomes: undefined };
        const outcomes = changes.map((change) => this.#change(writeName(principal), writeName(server), change));
        if (outcomes.some((outcome) => 'revision' in outcome)) this.#tell(principal, server, null);
        return { epoch: this.#epoch, outcomes };
      }),
    );
  }

  #change(principal: string, server: string, { place, name, expected, body }: StoreChange): StoreOutcome {
    const at = [principal, server, writeName(place), writeName(name)];
    const over = 'SELECT 1 FROM ended WHERE principal = ? AND conversation = ?';
    if (place !== null && this.#sql(over).get(principal, writeName(place)) !== undefined) return { ended: true };
    const where = 'WHERE principal = ? AND server = ? AND place = ? AND name = ?';
    const found = this.#sql(`SELECT ${ROW} FROM items ${where}`).get(...at);
    const row = found && rowOf(found);
    if (found && !row) {
      this.#sql(`DELETE FROM items ${where}`).run(...at);
      this.#reportDamage(1);
    }
    if ((row?.revision ?? 0) !== expected) return { found: row };
    if (body === undefined) {
      this.#sql(`DELETE FROM items ${where}`).run(...at);
      return { revision: 0 };
    }
    this.#sql("UPDATE about SET value = value + 1 WHERE name = 'clock'").run();
    const revision = Number(this.#sql("SELECT value FROM about WHERE name = 'clock'").get()?.['value']);
    this.#sql('INSERT OR REPLACE INTO items (principal, server, place, name, revision, body) VALUES (?, ?, ?, ?, ?, ?)').run(
      ...at,
      revision,
      body,
    );
    return { revision };
  }

  end(principal: string, conversation: string): void {
    this.#transaction(() => {
      const at = [writeName(principal), writeName(conversation)];
      this.#sql('DELETE FROM items WHERE principal = ? AND place = ?').run(...at);
      this.#sql('INSERT OR REPLACE INTO ended (principal, conversation, at) VALUES (?, ?, ?)').run(...at, Date.now());
      this.#sql('DELETE FROM ended WHERE at < ?').run(Date.now() - ENDED_FOR);
      this.#tell(principal, null, conversation);
    });
  }

  drawers(principal: string): readonly DrawerSize[] {
    const sql = `SELECT ${asBytes('server')}, count(*) AS items FROM items WHERE principal = ? GROUP BY items.server`;
    const found = this.#sql(sql).all(writeName(principal));
    return this.#readable(found, 'server').map(({ name, items }) => ({ server: name, items: Number(items) }));
  }

  principals(): readonly string[] {
    const found = this.#sql(`SELECT ${asBytes('principal')}, count(*) AS items FROM items GROUP BY items.principal`).all();
    return this.#readable(found, 'principal').map(({ name }) => name);
  }

  /** Counts items by name. Items under a damaged name can never be asked for again. */
  #readable(found: readonly Columns[], column: 'server' | 'principal'): { name: string; items: unknown }[] {
    const bad: Columns[] = [];
    const good = found.flatMap(({ items, ...key }) => {
      const name = readName(textOf(key[column]));
      if (name === undefined) bad.push(key);
      return name === undefined ? [] : [{ name, items }];
    });
    this.#remember(bad);
    return good;
  }

  /** Returns the damaged rows that were found since the last call. */
  takeDamaged(): readonly Columns[] {
    const damaged = this.#damaged;
    this.#damaged = [];
    return damaged;
  }

  /** Finds each row by everything that was read of it: another process may have replaced it by a good one. */
  deleteDamaged(rows: readonly Columns[]): void {
    this.#transaction(() => {
      for (const columns of rows) {
        const names = Object.keys(columns);
        const where = names.map((name) => `hex(${name}) = ?`).join(' AND ');
        this.#sql(`DELETE FROM items WHERE ${where}`).run(...names.map((name) => hexOf(columns[name])));
      }
    });
    this.tidy();
  }

  /** Returns changes of others since the last call; `undefined` if that is too long ago to know. */
  news(): readonly Told[] | undefined {
    const version = this.#dataVersion();
    if (version === this.#version) return [];
    this.#version = version;
    const sql = `SELECT ${asBytes('principal', 'server', 'conversation')} FROM changes WHERE number > ? ORDER BY number`;
    const found = this.#sql(sql).all(this.#seen);
    const before = this.#seen;
    this.#seen = this.#last();
    const told = found.map(toldIn);
    // An unreadable change may be any change, so everything is read again.
    return found.length < this.#seen - before || told.includes(undefined) ? undefined : (told as Told[]);
  }

  /** Removes deleted values from the log too. If others are reading, it is done another time. */
  tidy(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #tell(principal: string, server: string | null, conversation: string | null): void {
    const now = Date.now();
    this.#sql('DELETE FROM changes WHERE at < ?').run(now - TOLD_FOR);
    this.#sql('INSERT INTO changes (principal, server, conversation, at) VALUES (?, ?, ?, ?)').run(
      writeName(principal),
      server === null ? null : writeName(server),
      conversation === null ? null : writeName(conversation),
      now,
    );
  }

  #last(): number {
    const last = Number(textOf(this.#sql(`SELECT ${asBytes('seq')} FROM sqlite_sequence WHERE name = 'changes'`).get()?.['seq']));
    return Number.isSafeInteger(last) ? last : 0;
  }

  #remember(damaged: readonly Columns[]): void {
    if (damaged.length === 0) return;
    this.#damaged.push(...damaged);
    this.#reportDamage(damaged.length);
  }

  #reportDamage(rows: number): void {
    this.#report(`is damaged: ${rows} of its rows cannot be read; they are ignored and deleted`);
  }

  #dataVersion(): unknown {
    return Object.values(this.#sql('PRAGMA data_version').all()[0] ?? {})[0];
  }

  #transaction<T>(run: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = run();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      rollBack(this.#database);
      throw error;
    }
  }

  #sql(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }
}

function toldIn({ principal, server, conversation }: Columns): Told | undefined {
  const [who, where, what] = [principal, server, conversation].map((column) => readName(textOf(column)));
  if (who === undefined || (where === undefined) !== (server === null) || (what === undefined) !== (conversation === null))
    return undefined;
  return { principal: who, ...(where !== undefined && { server: where }), ...(what !== undefined && { conversation: what }) };
}
