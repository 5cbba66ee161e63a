/**
 * Catalogues in a folder: `de.json`, or several files in `de/`. In development the folder is watched: a change that holds is taken over at
 * once, one that does not is reported and changes nothing.
 */
import { watch, type FSWatcher } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../wire/issue.js';
import { CatalogError, type CatalogProblem, type CatalogSource } from '../localise/catalog.js';
import { catalogsFrom, type CatalogOptions, type Catalogs } from '../localise/catalogs.js';
import { jsonFault } from '../localise/json.js';
import type { CatalogFile } from '../localise/table.js';

export interface FolderOptions extends CatalogOptions {
  /** For development: read the folder again when something in it changes. Does not keep the process alive. */
  readonly watch?: boolean;
  /** Told why a changed folder was not taken over. */
  readonly onIssue?: Report;
}

export interface FolderCatalogs extends Catalogs {
  /** Reads the folder again. Rejects, and changes nothing, where something is wrong with it. */
  reload(): Promise<void>;
  /** Ends the watching. */
  close(): void;
}

export async function catalogFolder(folder: string | URL, options: FolderOptions): Promise<FolderCatalogs> {
  const path = typeof folder === 'string' ? folder : fileURLToPath(folder);
  const words = await catalogsFrom(await readFolder(path), options);
  const reload = async (): Promise<void> => words.replace(await readFolder(path));
  const watcher = options.watch === true ? watchFolder(path, reload, options.onIssue) : undefined;
  return Object.assign(words, { reload, close: () => watcher?.close() });
}

/** Every file, in the order of their names on every system. */
async function readFolder(folder: string): Promise<CatalogFile[]> {
  const problems: CatalogProblem[] = [];
  const files: CatalogFile[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      for (const name of (await readdir(path)).sort())
        if (name.endsWith('.json')) files.push(await readJson(entry.name, join(path, name), problems));
    if (entry.isFile() && entry.name.endsWith('.json')) files.push(await readJson(entry.name.slice(0, -'.json'.length), path, problems));
  }
  if (problems.length > 0) throw new CatalogError(problems);
  return files;
}

async function readJson(language: string, source: string, problems: CatalogProblem[]): Promise<CatalogFile> {
  const text = (await readFile(source, 'utf8')).replace(/^\ufeff/, '');
  try {
    return { language, source, content: JSON.parse(text) as CatalogSource };
  } catch {
    const before = text.slice(0, jsonFault(text)).split('\n');
    problems.push({ source, language, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, problem: 'is not JSON' });
    return { language, source, content: {} };
  }
}

/** An editor that saves touches a file several times. */
const CALM = 50;

function watchFolder(folder: string, reload: () => Promise<void>, report: Report | undefined): FSWatcher {
  let timer: NodeJS.Timeout | undefined;
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      reload().catch((error: unknown) => {
        const problem = error instanceof Error ? error.message : String(error);
        report?.({ concern: 'language', key: 'catalogs', problem: `could not be read again: ${problem}` });
      });
    }, CALM).unref();
  };
  const watcher = watch(folder, { persistent: false, recursive: true }, changed);
  watcher.on('close', () => {
    clearTimeout(timer);
  });
  watcher.on('error', (error) => {
    report?.({ concern: 'language', key: 'catalogs', problem: `can no longer be watched: ${error.message}` });
    watcher.close();
  });
  return watcher;
}
