import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isCorrupt, type Database, type OpenDatabase } from './driver.js';

/** "Wayb", in the header of the file: a database of somebody else is never touched. */
const APPLICATION = 0x57_61_79_62;
const VERSION = 1;
/** A larger file is not looked through before it is used; what is broken in it shows when it is read. */
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

/** Opens the file, makes it where there is none, and sets one aside that is no longer a database. Never changes one it does not know. */
export function openFile(file: string, open: OpenDatabase, setAside: (text: string) => void): Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const inode = inodeOf(file);
  try {
    return prepared(file, open);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    // Somebody else found it broken, too, and was quicker.
    if (inodeOf(file) !== inode) return prepared(file, open);
    const away = moveAway(file);
    setAside(`could not be read as a database (${messageOf(error)}); it was set aside as ${away}, and a new one begun`);
    return prepared(file, open);
  }
}

function prepared(file: string, open: OpenDatabase): Database {
  refuseNewer(file);
  // Before the driver makes it: its -wal and -shm files take their permissions from it.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const database = open(file);
  try {
    const size = statSync(file).size;
    if (size > 0 && size <= CHECKED_WHOLE) check(database);
    const empty = database.prepare('SELECT count(*) AS tables FROM sqlite_master').get()?.['tables'] === 0;
    if (!empty) requireOurs(database);
    database.exec('PRAGMA busy_timeout = 0; PRAGMA secure_delete = ON;');
    if (empty) create(database);
    // FULL: what is acknowledged is on the disk, not only out of our hands (D-23).
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Without SQLite, which may already change files while it opens them. */
function refuseNewer(file: string): void {
  if (!existsSync(file)) return;
  const header = Buffer.alloc(100);
  const descriptor = openSync(file, 'r');
  const read = readSync(descriptor, header, 0, 100, 0);
  closeSync(descriptor);
  if (read === 0) return;
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') throw Object.assign(new Error('it is not one'), { rawCode: 26 });
  requireVersion(header.readUInt32BE(68), header.readUInt32BE(60));
}

function requireOurs(database: Database): void {
  const pragma = (name: string): number => Number(Object.values(database.prepare(`PRAGMA ${name}`).all()[0] ?? {})[0]);
  const application = pragma('application_id');
  if (application !== APPLICATION) throw new Error('the file is a database of another program; it is left as it is');
  requireVersion(application, pragma('user_version'));
}

function requireVersion(application: number, version: number): void {
  if (application === APPLICATION && version > VERSION)
    throw new Error(`the file is of version ${version}, written by a newer release (this one knows ${VERSION}); it is left as it is`);
}

function check(database: Database): void {
  const found = Object.values(database.prepare('PRAGMA quick_check(1)').all()[0] ?? {})[0];
  if (found !== 'ok') throw Object.assign(new Error(String(found)), { rawCode: 11 });
}

/** Two processes may find it missing at the same moment; the second finds it made. */
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
    database.exec('ROLLBACK');
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
