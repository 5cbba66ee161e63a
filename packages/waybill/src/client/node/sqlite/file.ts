import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { textOf } from './columns.js';
import { isBusy, isCorrupt, rollBack, type Database, type OpenDatabase } from './driver.js';

/** "Wayb", in the header of the file: a database of another program is never touched. */
const APPLICATION = 0x57_61_79_62;
const VERSION = 1;
/** The first bytes of every database. */
const BEGINNING = Buffer.from('SQLite format 3\0', 'latin1');
const FOREIGN = 'the file is a database of another program and was not changed; choose another path';
/** A larger file is not checked before it is used; damage shows when it is read. */
const CHECKED_WHOLE = 32 * 1024 * 1024;

const SCHEMA = `
  CREATE TABLE about (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE items (
    principal TEXT, server TEXT, place TEXT, name TEXT, revision INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (principal, server, place, name)
  ) WITHOUT ROWID;
  CREATE TABLE ended (principal TEXT, conversation TEXT, at INTEGER NOT NULL, PRIMARY KEY (principal, conversation)) WITHOUT ROWID;
  CREATE TABLE changes (number INTEGER PRIMARY KEY AUTOINCREMENT, principal TEXT, server TEXT, conversation TEXT, at INTEGER NOT NULL);
  PRAGMA application_id = ${APPLICATION};
  PRAGMA user_version = ${VERSION};
`;

const TABLES = {
  about: 'name, value',
  items: 'principal, server, place, name, revision, body',
  ended: 'principal, conversation, at',
  changes: 'number, principal, server, conversation, at',
};
/** No file gets that far, but a damaged one may contain such a number. */
const LAST_REVISION = 2 ** 52;

/** Opens the file, or creates it. Moves a file of ours aside if it is no longer a database. Never changes a file that it does not know. */
export function openFile(file: string, open: OpenDatabase, setAside: (text: string) => void): Database {
  makeFolder(dirname(file));
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
    throw new Error('the path is not a file that could hold a database; choose another path');
  const inode = inodeOf(file);
  try {
    return prepared(file, open);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    // Another process found it broken too, and was faster.
    if (inodeOf(file) !== inode) return prepared(file, open);
    if (!isOurs(file))
      throw new Error('the file is neither a database nor known to be one of ours, and was not changed; choose another path', {
        cause: error,
      });
    const away = moveAway(file);
    setAside(`could not be read as a database (${messageOf(error)}); it was moved to ${away}, and a new file was created`);
    return prepared(file, open);
  }
}

/** Makes one folder at a time: if a folder cannot be made in an existing one, Node's recursive way never ends. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
}

function prepared(file: string, open: OpenDatabase): Database {
  refuseOthers(file);
  // Created before the driver does it: the -wal and -shm files take their permissions from this file.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const database = open(file);
  try {
    const size = statSync(file).size;
    if (size > 0 && size <= CHECKED_WHOLE) check(database);
    const empty = database.prepare('SELECT count(*) AS tables FROM sqlite_master').get()?.['tables'] === 0;
    if (!empty) {
      requireOurs(database);
      requireWhole(database);
    }
    database.exec('PRAGMA busy_timeout = 0; PRAGMA secure_delete = ON;');
    if (empty) create(database);
    // FULL: acknowledged state is on the disk (D-23).
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Checked without SQLite, which may change files while it opens them. */
function refuseOthers(file: string): void {
  const page = firstPage(file);
  if (page === undefined) return;
  if (!page.subarray(0, 16).equals(BEGINNING)) throw Object.assign(new Error('it is not a database'), { rawCode: 26 });
  const application = page.readUInt32BE(68);
  // The first page shows whether there are tables: a leaf without cells has none.
  if (application !== APPLICATION && (page[100] !== 13 || page.readUInt16BE(103) > 0)) throw new Error(FOREIGN);
  requireVersion(application, page.readUInt32BE(60));
}

/** Reads the header of the file and of its first page, which show whose file it is. Returns nothing for an empty file. */
function firstPage(file: string): Buffer | undefined {
  if (!existsSync(file)) return undefined;
  const page = Buffer.alloc(108);
  const descriptor = openSync(file, 'r');
  const read = readSync(descriptor, page, 0, page.length, 0);
  closeSync(descriptor);
  return read === 0 ? undefined : page;
}

/**
 * Tells whether a broken file was ours: its header says so, or its log does. A file of zeros is what a crash leaves, and not ours for
 * certain.
 */
function isOurs(file: string): boolean {
  const page = firstPage(file);
  if (page === undefined || isBlank(file) || saysOurs(page, 0)) return true;
  if (!existsSync(`${file}-wal`)) return false;
  const log = readFileSync(`${file}-wal`);
  for (let at = log.indexOf(BEGINNING); at >= 0; at = log.indexOf(BEGINNING, at + 1)) if (saysOurs(log, at)) return true;
  return false;
}

function isBlank(file: string): boolean {
  return statSync(file).size <= CHECKED_WHOLE && readFileSync(file).every((byte) => byte === 0);
}

function saysOurs(bytes: Buffer, at: number): boolean {
  return bytes.length >= at + 72 && bytes.subarray(at, at + 16).equals(BEGINNING) && bytes.readUInt32BE(at + 68) === APPLICATION;
}

function requireOurs(database: Database): void {
  const pragma = (name: string): number => Number(Object.values(database.prepare(`PRAGMA ${name}`).all()[0] ?? {})[0]);
  const application = pragma('application_id');
  if (application !== APPLICATION) throw new Error(FOREIGN);
  requireVersion(application, pragma('user_version'));
}

function requireVersion(application: number, version: number): void {
  if (application === APPLICATION && version > VERSION)
    throw new Error(`the file has version ${version} of a newer release (this one reads ${VERSION}) and was not changed; update waybill`);
}

function check(database: Database): void {
  // Selected as bytes: the text may quote a damaged one. Without an argument, which older releases of SQLite take for a number and newer
  // ones for a table.
  const sql = 'SELECT CAST(quick_check AS BLOB) AS quick_check FROM pragma_quick_check LIMIT 1';
  const found = textOf(database.prepare(sql).all()[0]?.['quick_check']);
  if (found !== 'ok') throw corrupt(found ?? 'its structure is damaged');
}

/** Refuses a file whose tables differ from SCHEMA, or whose revisions would start again and look older than they are. */
function requireWhole(database: Database): void {
  for (const [table, columns] of Object.entries(TABLES)) {
    try {
      database.prepare(`SELECT ${columns} FROM ${table}`);
    } catch (error) {
      throw isBusy(error) ? error : corrupt(messageOf(error));
    }
  }
  const about = `SELECT count(*) AS rows FROM about WHERE (name = 'epoch' AND typeof(value) = 'text')
    OR (name = 'clock' AND typeof(value) = 'integer' AND value BETWEEN 0 AND ${LAST_REVISION})`;
  if (database.prepare(about).get()?.['rows'] !== 2) throw corrupt('its epoch or its clock is damaged');
}

function corrupt(problem: string): Error {
  return Object.assign(new Error(problem), { rawCode: 11 });
}

/** Two processes may find the file missing at the same moment; the second one finds the tables. */
function create(database: Database): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    if (database.prepare('SELECT count(*) AS tables FROM sqlite_master').get()?.['tables'] === 0) {
      database.exec(SCHEMA);
      const epoch = globalThis.crypto.randomUUID();
      database.prepare("INSERT INTO about (name, value) VALUES ('epoch', ?), ('clock', 0)").run(epoch);
    } else requireOurs(database);
    database.exec('COMMIT');
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

function moveAway(file: string): string {
  const away = `${file}.corrupt-${new Date().toISOString().replaceAll(':', '')}`;
  renameSync(file, away);
  for (const suffix of ['-wal', '-shm', '-journal']) if (existsSync(file + suffix)) renameSync(file + suffix, away + suffix);
  return away;
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
}
