/**
 * One message of a catalogue in ICU MessageFormat, through `intl-messageformat`, which is loaded only for a catalogue that needs it: most
 * entries are plain text. Words and plural rules follow the language of the message; figures and dates the user's locale and zone
 * (D-18), so one compiled message serves every user.
 */
import type { IntlMessageFormat as Class } from 'intl-messageformat';
import { intlTag } from '../../wire/language/tag.js';
import { isolate, isRightToLeft, mayTurn } from './bidi.js';
import type { FormatSet } from './format.js';
import type { FormatPresets } from './format/presets.js';

/** What stands in for a placeholder: text, figures, moments, or a list of texts. */
export type Value = unknown;
export type Values = Readonly<Record<string, Value>>;

/** Gives the text, or throws where a value is missing or does not fit its placeholder. */
export type Message = string | ((values: Values, format: FormatSet) => string);

/** Where a message goes wrong, counted from 1. */
export interface Fault {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

/** Nothing in it means anything to MessageFormat. An apostrophe alone is one: "l'avion". */
export function isPlain(text: string): boolean {
  return !/[{}]|'['<>]/.test(text);
}

/** Text as a message that says just that. */
export function escapeMessage(text: string): string {
  return isPlain(text) ? text : quoteMessage(text, /[{}]/);
}

/** The same as part of a larger message. One stretch of quotes: two that touch would read as an apostrophe. */
export function quoteMessage(text: string, special: RegExp): string {
  const doubled = (part: string): string => part.replaceAll("'", "''");
  const first = text.search(special);
  if (first < 0) return doubled(text);
  let last = text.length - 1;
  while (!special.test(text[last] ?? '')) last--;
  return `${doubled(text.slice(0, first))}'${doubled(text.slice(first, last + 1))}'${doubled(text.slice(last + 1))}`;
}

/** `select` and its like nest; what a catalogue may hold is bounded like everything else. */
const DEEPEST = 32;

/** Elements as the parser gives them: 0 text, 1 placeholder, 2 number, 3 date, 4 time, 5 select, 6 plural, 7 `#`. */
export interface Element {
  type: number;
  value: string;
  style?: unknown;
  options?: Record<string, { value: Element[] }>;
  pluralType?: Intl.PluralRuleType;
  location?: { start: { offset: number }; end: { offset: number } };
}

export interface Compiler {
  /** The elements of a message, or where it goes wrong. */
  parse(text: string): Element[] | Fault;
  compile(text: string, language: string): Message;
}

/** The placeholders as they are inserted, beside the raw values that `select` and `plural` look at. */
const INSERTED = '\u2068';

export async function messageCompiler(presets: FormatPresets): Promise<Compiler> {
  const { IntlMessageFormat } = await import('intl-messageformat');
  const read = IntlMessageFormat.__parse as unknown as (text: string, options: object) => Element[];
  const parse = (text: string): Element[] | Fault => {
    const fault = unbalanced(text);
    if (fault !== undefined) return fault;
    try {
      const elements = read(text, { ignoreTag: true, captureLocation: true });
      resolve(elements, presets);
      return elements;
    } catch (error) {
      return faultOf(error);
    }
  };
  return { parse, compile: (text, language) => compiled(IntlMessageFormat, parse, text, language) };
}

function compiled(Format: typeof Class, parse: Compiler['parse'], text: string, language: string): Message {
  const elements = parse(text);
  if (!Array.isArray(elements)) throw new SyntaxError(`line ${elements.line}, column ${elements.column}: ${elements.problem}`);
  const tag = intlTag(language) ?? 'und';
  const turns = isRightToLeft(tag) || mayTurn(text);
  const counted = new Set<string>();
  const inserted = rename(elements, new Set(), counted);
  // Formatting is synchronous, so whose figures are being written can wait here for the formatters to ask.
  let now: FormatSet | undefined;
  const figures = (kind: 'number' | 'date' | 'time') => (_locale: unknown, style?: object) => {
    const set = now as FormatSet;
    const formatter = style === undefined ? set.named(kind) : set.styled(kind, style);
    const write = formatter as { format(value: unknown): string };
    return { format: (value: unknown): string => isolate(write.format(kind === 'number' ? figure(value) : set.shifted(value)), turns) };
  };
  const plurals = new Map<unknown, Intl.PluralRules>();
  const getPluralRules = (_locale: unknown, options: Intl.PluralRulesOptions): { select(value: number): string } => {
    let rules = plurals.get(options.type);
    if (rules === undefined) plurals.set(options.type, (rules = new Intl.PluralRules(tag, options)));
    const chosen = rules;
    return { select: (value) => chosen.select(value) };
  };
  const formatters = { getNumberFormat: figures('number'), getDateTimeFormat: figures('date'), getPluralRules };
  const message = new Format(elements as never, tag, undefined, { formatters: formatters as never });
  return (values, format) => {
    const given = Object.assign(Object.create(null) as Record<string, unknown>, values);
    // What is missing stays missing: a branch that is not taken may need it.
    for (const name of inserted) if (isThere(given[name])) given[INSERTED + name] = isolate(textOf(given[name], format), turns);
    // MessageFormat would count "many" as not a number, and say so to the user.
    for (const name of counted) if (isThere(given[name])) figure(given[name]);
    const before = now;
    now = format;
    try {
      return String(message.format(given as never));
    } finally {
      now = before;
    }
  };
}

/** Gives every named style its options, and refuses names that are none. What a message means is settled here, once. */
function resolve(elements: readonly Element[], presets: FormatPresets, depth = 0): void {
  if (depth > DEEPEST) throw new RangeError(`is nested deeper than ${DEEPEST}`);
  for (const element of elements) {
    const kind = element.type === 2 ? 'number' : element.type === 3 ? 'date' : element.type === 4 ? 'time' : undefined;
    if (kind !== undefined && (element.style === undefined || element.style === null || typeof element.style === 'string')) {
      const name = element.style ?? 'default';
      const preset: Readonly<Record<string, object>> = presets[kind];
      if (!Object.hasOwn(preset, name)) throw located(element, `${JSON.stringify(name)} is no named style of ${kind}`);
      // A style with options of its own, which is what a skeleton is to the formatter: 0 of a number, 1 of a date or time.
      element.style = { type: kind === 'number' ? 0 : 1, parsedOptions: preset[name] };
    }
    for (const option of Object.values(element.options ?? {})) resolve(option.value, presets, depth + 1);
  }
}

/** Renames what is inserted as it is, and gives the names, beside those that are counted. */
function rename(elements: readonly Element[], found: Set<string>, counted: Set<string>): Set<string> {
  for (const element of elements) {
    if (element.type === 1) {
      found.add(element.value);
      element.value = INSERTED + element.value;
    }
    if (element.type === 6) counted.add(element.value);
    for (const option of Object.values(element.options ?? {})) rename(option.value, found, counted);
  }
  return found;
}

function figure(value: unknown): number | bigint {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new TypeError('not a number');
  return value;
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Text as it is, figures as MessageFormat writes them, moments and lists as the user does. */
function textOf(value: unknown, format: FormatSet): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return (format.named('list') as Intl.ListFormat).format(value.map((item: unknown) => textOf(item, format)));
  return (format.named('dateTime') as Intl.DateTimeFormat).format(format.shifted(value));
}

/** The parser takes a closing brace with nothing to close for text. It hardly ever is. */
function unbalanced(text: string): Fault | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "'" && /['{}<>]/.test(text[at + 1] ?? '')) {
      if (text[at + 1] === "'") at++;
      else at = endOfQuote(text, at + 1);
    } else if (char === '{') depth++;
    else if (char === '}' && --depth < 0) return { ...place(text, at), problem: 'closes a brace that was not opened' };
  }
  return undefined;
}

function endOfQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] !== "'") continue;
    if (text[at + 1] !== "'") return at;
    at++;
  }
  return text.length;
}

function place(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

interface Located extends Error {
  location?: { start: { line: number; column: number } };
}

function located(element: Element, problem: string): Located {
  const error: Located = new SyntaxError(problem);
  if (element.location) error.location = element.location as never;
  return error;
}

/** The parser names its faults in capitals: `EXPECT_ARGUMENT_CLOSING_BRACE`. */
function faultOf(error: unknown): Fault {
  const { message, location } = error as Located;
  const words = /^[A-Z_]+$/.test(message)
    ? message
        .toLowerCase()
        .replaceAll('_', ' ')
        .replace(/^expect /, 'expects ')
    : message;
  return { line: location?.start.line ?? 1, column: location?.start.column ?? 1, problem: words };
}

/** Every placeholder of a message and how it is used, for comparing one language with another. */
export function placeholders(elements: readonly Element[], found: Map<string, string> = new Map()): Map<string, string> {
  for (const { type, value, options } of elements) {
    if (type > 0 && type < 7) found.set(value, type === 1 && found.has(value) ? (found.get(value) ?? 'text') : (KINDS[type] ?? 'text'));
    for (const option of Object.values(options ?? {})) placeholders(option.value, found);
  }
  return found;
}
const KINDS = ['', 'text', 'number', 'date', 'time', 'select', 'plural'];
