/**
 * The words of a server in all its languages: loaded once, checked at the start, found along the fallback chain. A missing entry or a
 * message that fails is reported once and never fails a call: the default language's text stands in, and after it the key.
 */
import type { Report } from '../../wire/issue.js';
import { isObject } from '../../wire/json.js';
import { requireDefault, type ChainOptions } from './chain.js';
import { FormatSet } from './format.js';
import { presetsOf, type FormatPresets, type GivenPresets } from './format/presets.js';
import type { Message, Values } from './message.js';
import { loadTable, type CatalogFile, type CatalogGiven, type Entry, type Table } from './table.js';

export interface CatalogOptions extends ChainOptions {
  /** Named styles for `format` and for messages, beside ours. */
  readonly formats?: GivenPresets;
}

/** Finds the formatters for a text in this language; called only if the text has something to format. */
export type FormatIn = (language: string) => FormatSet;

/** A text, and the language it is in; without one where it is only the key. */
export interface Said {
  readonly text: string;
  readonly language: string | undefined;
}

export interface Catalogs {
  /** As the author spelled them, the default first. */
  readonly languages: readonly string[];
  readonly default: string;
  readonly presets: FormatPresets;
  /** Grows with every change, for whoever keeps what was made of them. */
  readonly version: number;
  /** The language has the entry itself. */
  has(language: string, key: string): boolean;
  /** An entry that needs no values, along the chain: what a list is made of. */
  find(language: string, key: string): Said | undefined;
  /** Returns an entry with its values: from the first language of the chain that has it, at last the key itself. Never throws. */
  say(language: string, key: string, values: Values, format: FormatIn, report: Report): Said;
  /** All that is loaded of a language, for tools. */
  entries(language: string): ReadonlyMap<string, string>;
  /** Replaces every entry, or throws and changes nothing. The languages stay those of the start: they were offered to clients. */
  replace(files: readonly CatalogFile[]): Promise<void>;
}

/** `await catalogs({ en, de, ar: () => import('./ar.js') }, { default: 'en' })`. Throws a `CatalogError` that lists everything wrong. */
export async function catalogs(given: Readonly<Record<string, CatalogGiven>>, options: CatalogOptions): Promise<Catalogs> {
  checkOptions(options, 'catalogs');
  return catalogsFrom(filesOf(given), options);
}

export function filesOf(given: Readonly<Record<string, CatalogGiven>>): CatalogFile[] {
  return Object.entries(given).map(([language, content]) => ({ language, content, source: `catalogs.${language}` }));
}

export async function catalogsFrom(files: readonly CatalogFile[], options: CatalogOptions): Promise<Shelf> {
  const presets = presetsOf(options.formats);
  const load = (from: readonly CatalogFile[]): Promise<Table> => loadTable(from, options, presets);
  return new Shelf(await load(files), presets, load);
}

const NAMES: readonly string[] = ['default', 'fallback', 'formats'];

/** A misspelled option would be missed only by whoever reads the language that it was for. */
export function checkOptions(options: unknown, maker: string, more: readonly string[] = []): void {
  const names = [...NAMES, ...more];
  const stray = isObject(options) ? Object.keys(options).find((name) => !names.includes(name)) : undefined;
  if (stray !== undefined) throw new TypeError(`${stray}: is no option of ${maker}; there are ${names.join(', ')}`);
  requireDefault(options, maker);
  const { fallback } = options;
  if (fallback !== undefined && !isObject(fallback)) throw new TypeError('fallback: is not an object');
}

/** Reports kept in mind so that each is made once; a program that invents keys does not fill the memory. */
const MOST_REPORTED = 4096;

export class Shelf implements Catalogs {
  readonly languages: readonly string[];
  readonly default: string;
  readonly presets: FormatPresets;
  version = 0;
  #table: Table;
  readonly #load: (files: readonly CatalogFile[]) => Promise<Table>;
  readonly #reported = new Set<string>();
  readonly #neutral: FormatSet;
  /** The replacement that was asked for last. */
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

  find(language: string, key: string): Said | undefined {
    for (const tag of this.#chain(language)) {
      const entry = this.#table.entries.get(tag)?.get(key);
      if (entry === undefined) continue;
      const text = entry.fixed === undefined ? (entry.fixed = this.#fixed(entry, tag)) : entry.fixed;
      if (text !== null) return { text, language: tag };
    }
    return undefined;
  }

  say(language: string, key: string, values: Values, format: FormatIn, report: Report): Said {
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
      // What is there and could not be said was told of.
      if (!isOwn) this.#once(report, language, key, `is missing; the text is in ${tag}`);
      return { text, language: tag };
    }
    if (!isThere) this.#once(report, language, key, 'is missing in every language');
    return { text: key, language: undefined };
  }

  replace(files: readonly CatalogFile[]): Promise<void> {
    return this.replaceFrom(() => files);
  }

  /** One after the other, and read only then: an older one that takes its time would undo a newer. */
  replaceFrom(read: () => readonly CatalogFile[] | Promise<readonly CatalogFile[]>): Promise<void> {
    const done = this.#last.then(async () => this.#put(await this.#load(await read())));
    this.#last = done.catch(() => undefined);
    return done;
  }

  #put(table: Table): void {
    const known = new Set(table.languages);
    if (known.size !== this.languages.length || this.languages.some((language) => !known.has(language)))
      throw new RangeError(`catalogs: the languages were ${this.languages.join(', ')} and are ${table.languages.join(', ')}: restart`);
    this.#table = table;
    this.#reported.clear();
    this.version++;
  }

  /** A language without a catalogue is answered in the default. */
  #chain(language: string): readonly string[] {
    return this.#table.chains.get(language) ?? [this.default];
  }

  #message(entry: Entry, tag: string): Message {
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

  #text(entry: Entry, tag: string, key: string, values: Values, format: FormatIn, report: Report): string | undefined {
    try {
      const message = this.#message(entry, tag);
      return typeof message === 'string' ? message : message(values, format(tag));
    } catch (error) {
      this.#once(report, tag, key, `could not be said: ${problemIn(error)}`);
      return undefined;
    }
  }

  #once(report: Report, language: string, key: string, problem: string): void {
    const name = `${language} ${key} ${problem}`;
    if (this.#reported.has(name)) return;
    if (this.#reported.size >= MOST_REPORTED) this.#reported.clear();
    this.#reported.add(name);
    report({ concern: 'language', key: `catalogs.${language}.${key}`, problem });
  }
}

/** An entry of `de` for `de-AT` is how regional catalogues are meant to work. */
function isRegional(language: string, tag: string): boolean {
  return language === tag || language.startsWith(`${tag}-`);
}

/** The name of a placeholder may be told; a value may be private, and so may a message of somebody else's that quotes it. */
function problemIn(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  const missing = /context variable "\u2068?([^"]*)" was not provided/.exec(text);
  if (missing) return `no value for ${missing[1] ?? ''}`;
  return text === 'not a number' || text === 'format: not a moment' ? `a value is ${text.replace('format: ', '')}` : 'it throws';
}
