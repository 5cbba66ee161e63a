/**
 * The texts of a server in all its languages. They are loaded and checked once, at the start, and looked up along the fallback chain. A
 * missing entry or a message that fails is reported once and never fails a call: the text of the default language takes its place, or the key.
 */
import { checkNames, expectObject } from '../../wire/check.js';
import type { Report } from '../../wire/issue.js';
import { isObject } from '../../wire/json.js';
import { requireDefault, loadTable, type CatalogFile, type CatalogGiven, type Entry, type Table } from './table.js';
import { presetsOf, type FormatPresets, type GivenPresets } from './format/presets.js';
import { FormatSet } from './format/set.js';
import type { CompiledMessage, MessageValues } from './message.js';

export interface CatalogOptions {
  readonly default: string;
  /** For languages whose next one is not the shorter tag: `{ gsw: 'de', 'es-MX': 'es-419' }`. */
  readonly fallback?: Readonly<Record<string, string>>;
  /** More named styles for `format` and for messages. */
  readonly formats?: GivenPresets;
}

/** Finds the formatters for a text in this language; called only if the text has something to format. */
export type FormatIn = (language: string) => FormatSet;

/** A text and the language it is in. The key alone has no language. */
export interface FoundText {
  readonly text: string;
  readonly language: string | undefined;
}

export interface Catalogs {
  /** Spelled as the author spelled them; the default comes first. */
  readonly languages: readonly string[];
  readonly default: string;
  readonly presets: FormatPresets;
  /** Grows with every change, so that caches of localised answers notice it. */
  readonly version: number;
  /** True if this language itself has the entry, without its fallbacks. */
  has(language: string, key: string): boolean;
  /** Finds an entry that needs no values, such as a title in a list, along the fallback chain. */
  find(language: string, key: string): FoundText | undefined;
  /** Returns an entry with its values: from the first language of the chain that has it, at last the key itself. Never throws. */
  say(language: string, key: string, values: MessageValues, format: FormatIn, report: Report): FoundText;
  /** All entries of a language, for tools. */
  entries(language: string): ReadonlyMap<string, string>;
  /** Replaces every entry, or rejects and changes nothing. The set of languages cannot change: clients were offered it. */
  replace(files: readonly CatalogFile[]): Promise<void>;
}

/** `await catalogs({ en, de, ar: () => import('./ar.js') }, { default: 'en' })`. Rejects with a `CatalogError` that lists every problem. */
export async function catalogs(given: Readonly<Record<string, CatalogGiven>>, options: CatalogOptions): Promise<Catalogs> {
  checkCatalogOptions(options, 'catalogs');
  return catalogsFrom(filesOf(given), options);
}

export function filesOf(given: Readonly<Record<string, CatalogGiven>>): CatalogFile[] {
  return Object.entries(given).map(([language, content]) => ({ language, content, source: `catalogs.${language}` }));
}

export async function catalogsFrom(files: readonly CatalogFile[], options: CatalogOptions): Promise<LoadedCatalogs> {
  const presets = presetsOf(options.formats);
  const load = (from: readonly CatalogFile[]): Promise<Table> => loadTable(from, options, presets);
  return new LoadedCatalogs(await load(files), presets, load);
}

const NAMES: readonly string[] = ['default', 'fallback', 'formats'];

/** Refuses unknown options: only readers of one language would notice a misspelled one. */
export function checkCatalogOptions(options: unknown, maker: string, more: readonly string[] = []): void {
  if (isObject(options)) checkNames(options, [...NAMES, ...more], maker, '');
  requireDefault(options, maker);
  expectObject(options.fallback, 'fallback');
}

/** The number of reports that are remembered, so that each is made once. A program that makes up keys must not fill the memory. */
const MAX_REPORTED = 4096;

class LoadedCatalogs implements Catalogs {
  readonly languages: readonly string[];
  readonly default: string;
  readonly presets: FormatPresets;
  version = 0;
  #table: Table;
  readonly #load: (files: readonly CatalogFile[]) => Promise<Table>;
  readonly #reported = new Set<string>();
  readonly #neutral: FormatSet;
  /** Settles when the latest replacement has finished. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(table: Table, presets: FormatPresets, load: (files: readonly CatalogFile[]) => Promise<Table>) {
    this.#table = table;
    this.#load = load;
    this.presets = presets;
    this.languages = table.languages;
    this.default = table.languages[0] ?? 'en';
    this.#neutral = new FormatSet('en', 'UTC', 'en', presets);
  }

  has(language: string, key: string): boolean {
    return this.#table.entries.get(language)?.has(key) === true;
  }

  entries(language: string): ReadonlyMap<string, string> {
    return this.#table.texts.get(language) ?? new Map();
  }

  find(language: string, key: string): FoundText | undefined {
    for (const tag of this.#chain(language)) {
      const entry = this.#table.entries.get(tag)?.get(key);
      if (entry === undefined) continue;
      const text = entry.fixed === undefined ? (entry.fixed = this.#fixed(entry, tag)) : entry.fixed;
      if (text !== null) return { text, language: tag };
    }
    return undefined;
  }

  say(language: string, key: string, values: MessageValues, format: FormatIn, report: Report): FoundText {
    const chain = this.#chain(language);
    let isThere = false;
    let isOwn = false;
    for (const tag of chain) {
      const entry = this.#table.entries.get(tag)?.get(key);
      if (entry === undefined) continue;
      isThere = true;
      isOwn ||= isRegional(language, tag);
      const text = this.#text(entry, tag, key, values, format, report);
      if (text === undefined) continue;
      // An entry of its own that failed has been reported already.
      if (!isOwn) this.#once(report, language, key, `is missing; the text is in ${tag}`);
      return { text, language: tag };
    }
    if (!isThere) this.#once(report, language, key, 'is missing in every language');
    return { text: key, language: undefined };
  }

  replace(files: readonly CatalogFile[]): Promise<void> {
    return this.replaceFrom(() => files);
  }

  /** Replacements run one after the other, and each reads its files only then: a slow older one would undo a newer one. */
  replaceFrom(read: () => readonly CatalogFile[] | Promise<readonly CatalogFile[]>): Promise<void> {
    const done = this.#last.then(async () => this.#put(await this.#load(await read())));
    this.#last = done.catch(() => undefined);
    return done;
  }

  #put(table: Table): void {
    const known = new Set(table.languages);
    if (known.size !== this.languages.length || this.languages.some((language) => !known.has(language)))
      throw new RangeError(
        `catalogs: the languages changed from ${this.languages.join(', ')} to ${table.languages.join(', ')}; restart the server`,
      );
    this.#table = table;
    this.#reported.clear();
    this.version++;
  }

  /** A language without a catalogue falls back to the default. */
  #chain(language: string): readonly string[] {
    return this.#table.chains.get(language) ?? [this.default];
  }

  #message(entry: Entry, tag: string): CompiledMessage {
    return (entry.message ??= this.#table.compiler?.compile(entry.text, tag) ?? entry.text);
  }

  #fixed(entry: Entry, tag: string): string | null {
    try {
      const message = this.#message(entry, tag);
      return typeof message === 'string' ? message : message({}, this.#neutral);
    } catch {
      return null;
    }
  }

  #text(entry: Entry, tag: string, key: string, values: MessageValues, format: FormatIn, report: Report): string | undefined {
    try {
      const message = this.#message(entry, tag);
      return typeof message === 'string' ? message : message(values, format(tag));
    } catch (error) {
      this.#once(report, tag, key, `could not be formatted: ${problemIn(error)}`);
      return undefined;
    }
  }

  #once(report: Report, language: string, key: string, problem: string): void {
    const name = `${language} ${key} ${problem}`;
    if (this.#reported.has(name)) return;
    if (this.#reported.size >= MAX_REPORTED) this.#reported.clear();
    this.#reported.add(name);
    report({ concern: 'language', key: `catalogs.${language}.${key}`, problem });
  }
}

/** A catalogue of `de-AT` is meant to leave entries to `de`, so that is not a missing entry. */
function isRegional(language: string, tag: string): boolean {
  return language === tag || language.startsWith(`${tag}-`);
}

/** Names the placeholder and never the value, which may be private. The text of an unknown error may quote a value, so it is left out. */
function problemIn(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  const missing = /context variable "\u2068?([^"]*)" was not provided/.exec(text);
  if (missing) return `no value for ${missing[1] ?? ''}`;
  return text === 'not a number' || text === 'format: not a moment' ? `a value is ${text.replace('format: ', '')}` : 'it throws';
}
