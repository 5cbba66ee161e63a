import type { Change, DrawerChanges, DrawerName, DrawerSize, Loaded, Outcome, Row, Saved } from '../../jar/store.js';
import { rollBack, type Database, type Statement } from './driver.js';

/** What others are told: a drawer changed, or a conversation ended. */
export interface Told {
  readonly principal: string;
  readonly server?: string;
  readonly conversation?: string;
}

/** For how long a change can be asked for; whoever was away longer reads everything again. */
const TOLD_FOR = 60_000;
const ENDED_FOR = 30 * 86_400_000;

/** What the store does, in SQL. Text goes in and out as JSON: SQLite's own text ends at NUL and knows no half of a surrogate pair. */
export class Tables {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();
  readonly #epoch: string;
  /** Up to which change others' doings are known. */
  #seen: number;
  #version: unknown;

  constructor(database: Database) {
    this.#database = database;
    this.#epoch = String(this.#sql("SELECT value FROM about WHERE name = 'epoch'").get()?.['value']);
    this.#seen = this.#last();
    this.#version = this.#dataVersion();
  }

  load({ principal, server }: DrawerName): Loaded {
    const found = this.#sql('SELECT place, name, revision, body FROM items WHERE principal = ? AND server = ? ORDER BY revision').all(
      text(principal),
      text(server),
    );
    return { epoch: this.#epoch, rows: found.map(rowOf) };
  }

  save(batch: readonly DrawerChanges[]): readonly Saved[] {
    return this.#transaction(() =>
      batch.map(({ principal, server, epoch, changes }) => {
        if (epoch !== undefined && epoch !== this.#epoch) return { epoch: this.#epoch, outcomes: undefined };
        const outcomes = changes.map((change) => this.#change(text(principal), text(server), change));
        if (outcomes.some((outcome) => 'revision' in outcome)) this.#tell(principal, server, null);
        return { epoch: this.#epoch, outcomes };
      }),
    );
  }

  #change(principal: string, server: string, { place, name, expected, body }: Change): Outcome {
    const at = [principal, server, text(place), text(name)];
    const over = 'SELECT 1 FROM ended WHERE principal = ? AND conversation = ?';
    if (place !== null && this.#sql(over).get(principal, text(place)) !== undefined) return { ended: true };
    const where = 'WHERE principal = ? AND server = ? AND place = ? AND name = ?';
    const found = this.#sql(`SELECT place, name, revision, body FROM items ${where}`).get(...at);
    const row = found && rowOf(found);
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
      const at = [text(principal), text(conversation)];
      this.#sql('DELETE FROM items WHERE principal = ? AND place = ?').run(...at);
      this.#sql('INSERT OR REPLACE INTO ended (principal, conversation, at) VALUES (?, ?, ?)').run(...at, Date.now());
      this.#sql('DELETE FROM ended WHERE at < ?').run(Date.now() - ENDED_FOR);
      this.#tell(principal, null, conversation);
    });
  }

  drawers(principal: string): readonly DrawerSize[] {
    const found = this.#sql('SELECT server, count(*) AS items FROM items WHERE principal = ? GROUP BY server').all(text(principal));
    return found.map(({ server, items }) => ({ server: untext(server) as string, items: Number(items) }));
  }

  principals(): readonly string[] {
    return this.#sql('SELECT DISTINCT principal FROM items')
      .all()
      .map(({ principal }) => untext(principal) as string);
  }

  /** What others did since the last time; `undefined` where it was too long ago to say. */
  news(): readonly Told[] | undefined {
    const version = this.#dataVersion();
    if (version === this.#version) return [];
    this.#version = version;
    const found = this.#sql('SELECT number, principal, server, conversation FROM changes WHERE number > ? ORDER BY number').all(this.#seen);
    const before = this.#seen;
    this.#seen = this.#last();
    if (found.length < this.#seen - before) return undefined;
    return found.map(({ principal, server, conversation }) => ({
      principal: untext(principal) as string,
      ...(server !== null && { server: untext(server) as string }),
      ...(conversation !== null && { conversation: untext(conversation) as string }),
    }));
  }

  /** What was deleted leaves the log, too. Others may be reading: then another time. */
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
      text(principal),
      server === null ? null : text(server),
      conversation === null ? null : text(conversation),
      now,
    );
  }

  #last(): number {
    return Number(this.#sql("SELECT seq FROM sqlite_sequence WHERE name = 'changes'").get()?.['seq'] ?? 0);
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

function text(value: string | null): string {
  return JSON.stringify(value);
}

function untext(value: unknown): string | null {
  return JSON.parse(String(value)) as string | null;
}

function rowOf({ place, name, revision, body }: Record<string, unknown>): Row {
  return { place: untext(place), name: untext(name) as string, revision: Number(revision), body: String(body) };
}
