/** Catalogues as they are looked up in: read, checked, and joined by their fallback chains. Nothing in it changes but what is compiled late. */
import { CatalogError, checkCatalogs, readCatalog, same, type CatalogProblem, type CatalogSource, type Loaded } from './catalog.js';
import { chainsOf, type ChainOptions } from './chain.js';
import type { FormatPresets } from './format/presets.js';
import { messageCompiler, type Compiler, type Message } from './message.js';
import { isPlain } from './message/syntax.js';

/** What stands for a language: its entries, or a function that fetches them, as `() => import('./de.js')` does. */
export type CatalogGiven = CatalogSource | (() => unknown);

/** One source of entries. A language may have several, which share its names. */
export interface CatalogFile {
  readonly language: string;
  /** What it is called in an error. */
  readonly source: string;
  readonly content: CatalogGiven;
}

export interface Entry {
  readonly text: string;
  /** Compiled when it is first asked for. */
  message: Message | undefined;
  /** What it says without values; `null` where it needs some. */
  fixed: string | null | undefined;
}

export interface Table {
  /** The default first. */
  readonly languages: readonly string[];
  readonly texts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, Entry>>;
  readonly chains: ReadonlyMap<string, readonly string[]>;
  readonly compiler: Compiler | undefined;
}

/** Throws a `CatalogError` that lists everything wrong. */
export async function loadTable(files: readonly CatalogFile[], options: ChainOptions, presets: FormatPresets): Promise<Table> {
  const problems: CatalogProblem[] = [];
  const all: Loaded[] = [];
  for (const { language, source, content } of files) all.push(readCatalog(language, source, await contentOf(content), problems));
  const texts = joined(all, problems);
  const first = [...texts.keys()].find((language) => same(language, options.default));
  if (first === undefined) throw new RangeError(`default: there is no catalogue ${JSON.stringify(options.default)}`);
  const needed = all.some(({ entries }) => [...entries.values()].some((text) => !isPlain(text)));
  const compiler = needed ? await messageCompiler(presets) : undefined;
  checkCatalogs(all, first, texts.get(first) ?? new Map(), compiler, problems);
  if (problems.length > 0) throw new CatalogError(problems);
  const languages = [first, ...[...texts.keys()].filter((language) => language !== first)];
  return {
    languages,
    texts,
    entries: new Map([...texts].map(([language, entries]) => [language, new Map([...entries].map(([key, text]) => [key, entryOf(text)]))])),
    chains: chainsOf(languages, { ...options, default: first }),
    compiler,
  };
}

/** The entries of each language, whatever the number of its sources. */
function joined(all: readonly Loaded[], problems: CatalogProblem[]): Map<string, Map<string, string>> {
  const texts = new Map<string, Map<string, string>>();
  for (const { language, source, entries } of all) {
    const other = [...texts.keys()].find((known) => known !== language && same(known, language));
    if (other !== undefined) problems.push({ source, language, problem: `is there twice: ${other} and ${language} are the same language` });
    const known = texts.get(language) ?? new Map<string, string>();
    texts.set(language, known);
    for (const [key, text] of entries) {
      if (known.has(key)) problems.push({ source, language, key, problem: 'is there twice' });
      known.set(key, text);
    }
  }
  return texts;
}

function entryOf(text: string): Entry {
  return isPlain(text) ? { text, message: text, fixed: text } : { text, message: undefined, fixed: undefined };
}

/** Entries themselves, those that a function fetches, or the default export of a module. */
async function contentOf(source: unknown): Promise<unknown> {
  const fetched: unknown = typeof source === 'function' ? await (source as () => unknown)() : source;
  const isModule = typeof fetched === 'object' && fetched !== null && Object.prototype.toString.call(fetched) === '[object Module]';
  return isModule ? (fetched as { default?: unknown }).default : fetched;
}
