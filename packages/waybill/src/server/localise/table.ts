/** Catalogues as they are looked up in: read, checked, and joined by their fallback chains. Nothing in it changes but what is compiled late. */
import { CatalogError, checkCatalogs, readCatalog, same, type CatalogProblem, type CatalogSource, type Loaded } from './catalog.js';
import { chainsOf, type ChainOptions } from './chain.js';
import type { FormatPresets } from './format/presets.js';
import { isPlain, messageCompiler, type Compiler, type Message } from './message.js';

/** What stands for a language: its entries, or a function that fetches them, as `() => import('./de.js')` does. */
export type CatalogGiven = CatalogSource | (() => unknown);

export interface CatalogSources {
  /** By language. */
  readonly given: Readonly<Record<string, CatalogGiven>>;
  /** What each is called in an error: its file. */
  readonly names?: Readonly<Record<string, string>>;
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
export async function loadTable({ given, names = {} }: CatalogSources, options: ChainOptions, presets: FormatPresets): Promise<Table> {
  const problems: CatalogProblem[] = [];
  const all: Loaded[] = [];
  for (const [language, source] of Object.entries(given)) {
    const called = names[language] ?? `catalogs.${language}`;
    if (all.some((other) => same(other.language, language))) problems.push({ source: called, language, problem: 'is there twice' });
    all.push(readCatalog(language, called, await contentOf(source), problems));
  }
  const first = all.find(({ language }) => same(language, options.default));
  if (first === undefined) throw new RangeError(`default: there is no catalogue ${JSON.stringify(options.default)}`);
  const needed = all.some(({ entries }) => [...entries.values()].some((text) => !isPlain(text)));
  const compiler = needed ? await messageCompiler(presets) : undefined;
  checkCatalogs(all, first.language, compiler, problems);
  if (problems.length > 0) throw new CatalogError(problems);
  const languages = [first, ...all.filter((one) => one !== first)].map(({ language }) => language);
  return {
    languages,
    texts: new Map(all.map(({ language, entries }) => [language, entries])),
    entries: new Map(all.map(({ language, entries }) => [language, new Map([...entries].map(([key, text]) => [key, entryOf(text)]))])),
    chains: chainsOf(languages, { ...options, default: first.language }),
    compiler,
  };
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
