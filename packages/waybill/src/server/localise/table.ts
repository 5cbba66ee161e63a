/** The table that texts are looked up in: catalogues, read, checked and joined by their fallback chains. Messages are compiled on first use. */
import { quote } from '../../wire/check.js';
import { CatalogError, checkCatalogs, readCatalog, same, type CatalogProblem, type CatalogSource, type LoadedSource } from './catalog.js';
import type { FormatPresets } from './format/presets.js';
import { messageCompiler, type Compiler, type CompiledMessage } from './message.js';
import { isPlain } from './message/syntax.js';
import { isObject } from '../../wire/json.js';
import { intlTag } from '../../wire/language/tag.js';
import type { CatalogOptions } from './catalogs.js';

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
  const all: LoadedSource[] = [];
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
function joined(all: readonly LoadedSource[], problems: CatalogProblem[]): Map<string, Map<string, string>> {
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

type ChainOptions = Pick<CatalogOptions, 'default' | 'fallback'>;

/** The default language is the reference: entries that others lack are measured against it. */
export function requireDefault(options: unknown, maker: string): asserts options is ChainOptions {
  if (!isObject(options) || typeof options['default'] !== 'string')
    throw new TypeError(`${maker}: expected the default language, { default: "en" }, as the second argument`);
}

/**
 * Returns, for each language, the languages to look in: itself first, the default last, such as `zh-Hant-HK`, `zh-Hant`, `en`. Throws if a
 * fallback has no catalogue or runs in a circle.
 */
function chainsOf(languages: readonly string[], options: ChainOptions): ReadonlyMap<string, readonly string[]> {
  const find = (tag: string): string | undefined => languages.find((language) => same(language, tag));
  const next = new Map<string, string>();
  for (const [from, to] of Object.entries(options.fallback ?? {})) {
    const [known, target] = [find(from), find(typeof to === 'string' ? to : '')];
    if (known === undefined) throw new RangeError(`fallback.${from}: expected a language with a catalogue`);
    if (target === undefined) throw new RangeError(`fallback.${from}: expected a language with a catalogue, got ${quote(to)}`);
    next.set(known, target);
  }
  return new Map(languages.map((language) => [language, chainOf(language, next, find, options.default)]));
}

function chainOf(
  language: string,
  next: ReadonlyMap<string, string>,
  find: (tag: string) => string | undefined,
  last: string,
): readonly string[] {
  const chain: string[] = [];
  for (let at: string | undefined = language; at !== undefined; at = next.get(at) ?? parentIn(at, find)) {
    if (chain.includes(at)) throw new RangeError(`fallback.${language}: expected no circle, got ${[...chain, at].join(' → ')}`);
    chain.push(at);
  }
  return chain.includes(last) ? chain : [...chain, last];
}

/**
 * The longest shorter tag with a catalogue, in the same script: Traditional Chinese does not fall back to Simplified. If the region implies
 * the script, the tag that names the script comes next: `zh-TW`, then `zh-Hant`.
 */
function parentIn(tag: string, find: (tag: string) => string | undefined): string | undefined {
  const subtags = tag.split('-');
  if (subtags.length === 1) return undefined;
  const { language, script } = likely(tag);
  while (subtags.length > 1) {
    subtags.pop();
    // A single letter introduces an extension and means nothing without it.
    if (subtags.at(-1)?.length === 1) continue;
    const parent = find(subtags.join('-'));
    if (parent === undefined) continue;
    if (likely(parent).script === script) return parent;
    break;
  }
  const spelled = find(`${language}-${script}`);
  return spelled === undefined || same(spelled, tag) ? undefined : spelled;
}

function likely(tag: string): Intl.Locale {
  return new Intl.Locale(intlTag(tag) ?? 'und').maximize();
}
