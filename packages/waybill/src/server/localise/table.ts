/** The table that texts are looked up in: catalogues, read, checked and joined by their fallback chains. Messages are compiled on first use. */
import { quote } from '../../wire/check.js';
import { CatalogError, checkCatalogs, readCatalog, same, type CatalogProblem, type CatalogSource, type Loaded } from './catalog.js';
import { chainsOf, type ChainOptions } from './chain.js';
import type { FormatPresets } from './format/presets.js';
import { messageCompiler, type Compiler, type CompiledMessage } from './message.js';
import { isPlain } from './message/syntax.js';

/** The entries of a language, or a function that loads them: `() => import('./de.js')`. */
export type CatalogGiven = CatalogSource | (() => unknown);

/** One source of entries. A language may have several; a key may stand in only one of them. */
export interface CatalogFile {
  readonly language: string;
  /** Its name in errors. */
  readonly source: string;
  readonly content: CatalogGiven;
}

export interface Entry {
  readonly text: string;
  /** Compiled on first use. */
  message: CompiledMessage | undefined;
  /** The text without values; `null` if it needs some, undefined until it is first used. */
  fixed: string | null | undefined;
}

export interface Table {
  /** The default comes first. */
  readonly languages: readonly string[];
  readonly texts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, Entry>>;
  readonly chains: ReadonlyMap<string, readonly string[]>;
  readonly compiler: Compiler | undefined;
}

/** Rejects with a `CatalogError` that lists every problem. */
export async function loadTable(files: readonly CatalogFile[], options: ChainOptions, presets: FormatPresets): Promise<Table> {
  const problems: CatalogProblem[] = [];
  const all: Loaded[] = [];
  for (const { language, source, content } of files) all.push(readCatalog(language, source, await contentOf(content), problems));
  const texts = joined(all, problems);
  const first = [...texts.keys()].find((language) => same(language, options.default));
  if (first === undefined) throw new RangeError(`default: expected a language with a catalogue, got ${quote(options.default)}`);
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

/** Joins the sources of each language. */
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

/** Accepts entries, a function that loads them, and a module whose default export they are. */
async function contentOf(source: unknown): Promise<unknown> {
  const fetched: unknown = typeof source === 'function' ? await (source as () => unknown)() : source;
  const isModule = typeof fetched === 'object' && fetched !== null && Object.prototype.toString.call(fetched) === '[object Module]';
  return isModule ? (fetched as { default?: unknown }).default : fetched;
}
