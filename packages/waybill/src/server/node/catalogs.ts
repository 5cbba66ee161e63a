/**
 * Catalogues in a folder: `de.json`, or several files in `de/`. In development the folder is watched: a good change is used at once, a bad
 * one is reported and changes nothing.
 */
import { isUtf8 } from 'node:buffer';
import { watch, type FSWatcher } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectFlag, expectFunction } from '../../wire/check.js';
import type { Report } from '../../wire/issue.js';
import { safeCallback } from '../../wire/maybe.js';
import { CatalogError, type CatalogProblem, type CatalogSource } from '../localise/catalog.js';
import { catalogsFrom, checkCatalogOptions, type CatalogOptions, type Catalogs } from '../localise/catalogs.js';
import { jsonFault } from '../localise/json.js';
import type { CatalogFile } from '../localise/table.js';

export interface FolderOptions extends CatalogOptions {
  /** For development: read the folder again when something in it changes. Does not keep the process alive. */
  readonly watch?: boolean;
  /** Called with the reason why a changed folder was not used. */
  readonly onIssue?: Report;
}

export interface FolderCatalogs extends Catalogs {
  /** Reads the folder again. Rejects and changes nothing if something is wrong with it. */
  reload(): Promise<void>;
  /** Stops watching. */
  close(): void;
}

export async function catalogFolder(folder: string | URL, options: FolderOptions): Promise<FolderCatalogs> {
  checkCatalogOptions(options, 'catalogFolder', ['watch', 'onIssue']);
  const { watch: isWatched = false, onIssue } = options;
  expectFlag(isWatched, 'watch');
  expectFunction(onIssue, 'onIssue');
  const path = typeof folder === 'string' ? folder : fileURLToPath(folder);
  const words = await catalogsFrom(await readFolder(path), options);
  const reload = (): Promise<void> =>
    words.replaceFrom(async () => {
      await watcher?.renew();
      return readFolder(path);
    });
  const watcher = isWatched ? new FolderWatcher(path, reload, safeCallback(onIssue)) : undefined;
  // Watched first, then read once more, so that no save in between is missed.
  await watcher?.renew();
  await watcher?.again();
  return Object.assign(words, { reload, close: () => watcher?.close() });
}

interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
}

/** Sorted by name on every system. Links count as their targets. Names that begin with a dot belong to editors or mounted volumes. */
async function entriesOf(folder: string): Promise<FolderEntry[]> {
  const found: FolderEntry[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const { name } = entry;
    const isLink = entry.isSymbolicLink();
    if (name.startsWith('.') || !(isLink || entry.isFile() || entry.isDirectory())) continue;
    const path = join(folder, name);
    found.push({ name, path, isFolder: isLink ? await leadsToFolder(path) : entry.isDirectory() });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A broken link does not count as a folder. If it has the name of a catalogue, reading it reports what is wrong. */
async function leadsToFolder(link: string): Promise<boolean> {
  try {
    return (await stat(link)).isDirectory();
  } catch {
    return false;
  }
}

async function readFolder(folder: string): Promise<CatalogFile[]> {
  const problems: CatalogProblem[] = [];
  const files: CatalogFile[] = [];
  for (const { name, path, isFolder } of await entriesOf(folder)) {
    const language = isFolder ? name : name.slice(0, -'.json'.length);
    for (const file of isFolder ? await entriesOf(path) : [{ name, path, isFolder }])
      if (!file.isFolder && file.name.endsWith('.json')) files.push(await readJson(language, file.path, problems));
  }
  if (problems.length > 0) throw new CatalogError(problems);
  return files;
}

/** The number of problems reported for one file: after a bad merge it may be every line. */
const MAX_REPORTED = 16;

async function readJson(language: string, source: string, problems: CatalogProblem[]): Promise<CatalogFile> {
  const content = await readFile(source);
  const tell = (problem: string, before?: string): void => {
    const lines = before?.split('\n');
    problems.push({ source, language, ...(lines && { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }), problem });
  };
  if (!isUtf8(content)) tell('is not UTF-8');
  const text = new TextDecoder().decode(content);
  let told = 0;
  const fault = jsonFault(text, (name, at) => {
    if (++told <= MAX_REPORTED) tell(`${JSON.stringify(name)} is there twice`, text.slice(0, at));
  });
  if (fault !== undefined) tell('is not JSON', text.slice(0, fault));
  return { language, source, content: fault === undefined ? (JSON.parse(text) as CatalogSource) : {} };
}

/** Milliseconds. An editor touches a file several times when it saves. */
const CALM = 50;

/**
 * Watches the folder and each folder in it separately: a recursive watcher may follow the files it found and miss one that was replaced, as
 * editors do when they save.
 */
class FolderWatcher {
  readonly #folder: string;
  readonly #reload: () => Promise<void>;
  readonly #report: Report;
  #watchers: readonly FSWatcher[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(folder: string, reload: () => Promise<void>, report: Report) {
    this.#folder = folder;
    this.#reload = reload;
    this.#report = report;
  }

  /** Folders come and go, and a new one may have an old name. The new watchers start before the old ones stop. */
  async renew(): Promise<void> {
    const inner = (await entriesOf(this.#folder)).filter(({ isFolder }) => isFolder);
    if (this.#isClosed) return;
    const watchers: FSWatcher[] = [];
    try {
      for (const path of [this.#folder, ...inner.map((found) => found.path)]) watchers.push(this.#watch(path));
    } catch (error) {
      for (const watcher of watchers) watcher.close();
      throw error;
    }
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = watchers;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
  }

  #watch(path: string): FSWatcher {
    const watcher = watch(path, { persistent: false }, () => this.#changed());
    return watcher.on('error', (error) => {
      watcher.close();
      // Some systems report a removed folder like this.
      if (path !== this.#folder) this.#changed();
      else this.#tell('can no longer be watched', error);
    });
  }

  #changed(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.again(), CALM).unref();
  }

  /** A file that is being saved is reported, and read when it is complete; the last good state stays until then. */
  async again(): Promise<void> {
    await this.#reload().catch((error: unknown) => {
      this.#tell('could not be read again', error);
    });
  }

  #tell(what: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#report({ concern: 'language', key: 'catalogs', problem: `${what}: ${why}` });
  }
}
