import { createRequire, isBuiltin } from 'node:module';

/** The part of SQLite that is used here, as `node:sqlite` and `libsql` both offer it. Both are synchronous. */
export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  run(...values: readonly (string | number | null)[]): unknown;
  get(...values: readonly (string | number | null)[]): Record<string, unknown> | undefined;
  all(...values: readonly (string | number | null)[]): Record<string, unknown>[];
}

export type OpenDatabase = (file: string) => Database;

const NO_DRIVER = 'sqliteStore: needs node:sqlite (Node 22.13 or newer) or the package libsql, and found neither; write npm install libsql';

/** Throws if no driver can be found, so that a program learns of it at its start and not by state that is lost. */
export function requireDriver(isThere: (name: string) => boolean = isInstalled): void {
  if (!['node:sqlite', 'libsql'].some(isThere)) throw new Error(NO_DRIVER);
}

function isInstalled(name: string): boolean {
  if (name.startsWith('node:')) return isBuiltin(name);
  try {
    return createRequire(import.meta.url).resolve(name) !== '';
  } catch {
    return false;
  }
}

/** Takes Node's own driver if there is one, otherwise `libsql`, which installs without a compiler. */
export async function findDriver(): Promise<OpenDatabase> {
  // The names are variables, because bundlers and older Nodes do not know these modules.
  const [builtIn, fallback] = ['node:sqlite', 'libsql'];
  try {
    const { DatabaseSync } = (await import(builtIn)) as { DatabaseSync: new (file: string) => Database };
    return (file) => new DatabaseSync(file);
  } catch {
    // Node is older than 22.13, or built without SQLite.
  }
  try {
    const { default: Libsql } = (await import(fallback)) as { default: new (file: string) => Database };
    return (file) => new Libsql(file);
  } catch (error) {
    throw new Error(NO_DRIVER, { cause: error });
  }
}

/** Called after a failure. Its own error is ignored, so that the caller reports the first one. */
export function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // The transaction had already ended.
  }
}

export function isBusy(error: unknown): boolean {
  return codeOf(error) === 5 || codeOf(error) === 6;
}

export function isCorrupt(error: unknown): boolean {
  return codeOf(error) === 11 || codeOf(error) === 26;
}

/** Returns SQLite's own result code, without its extended part. */
function codeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { rawCode, errcode } = error as { rawCode?: unknown; errcode?: unknown };
  const code = typeof errcode === 'number' ? errcode : rawCode;
  return typeof code === 'number' ? code & 0xff : undefined;
}
