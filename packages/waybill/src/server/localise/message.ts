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
import type { Read } from './message/skeleton.js';
import { faultOf, resolveStyles, unbalanced, type Element, type Fault } from './message/syntax.js';

/** What stands in for a placeholder: text, figures, moments, or a list of texts. */
export type Value = unknown;
export type Values = Readonly<Record<string, Value>>;

/** Gives the text, or throws where a value is missing or does not fit its placeholder. */
export type Message = string | ((values: Values, format: FormatSet) => string);

export interface Compiler {
  /** The elements of a message, or where it goes wrong. */
  parse(text: string): Element[] | Fault;
  compile(text: string, language: string): Message;
}

/** The placeholders as they are inserted, beside the raw values that `select` and `plural` look at. */
const INSERTED = '\u2068';

export async function messageCompiler(presets: FormatPresets): Promise<Compiler> {
  const { IntlMessageFormat } = await import('intl-messageformat');
  const read = IntlMessageFormat.__parse as unknown as Read;
  const parse = (text: string): Element[] | Fault => {
    const fault = unbalanced(text);
    if (fault !== undefined) return fault;
    try {
      const elements = read(text, { ignoreTag: true, captureLocation: true });
      resolveStyles(elements, presets, read);
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
    return {
      format: (value: unknown): string => isolate(write.format(kind === 'number' ? figure(value) : set.shifted(value, formatter)), turns),
    };
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
    // MessageFormat would count "many" as not a number, and nothing as none, and say so to the user.
    for (const name of counted) {
      if (isThere(given[name])) figure(given[name]);
      else Reflect.deleteProperty(given, name);
    }
    const before = now;
    now = format;
    try {
      return String(message.format(given as never));
    } finally {
      now = before;
    }
  };
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
  if ((typeof value !== 'number' || Number.isNaN(value)) && typeof value !== 'bigint') throw new TypeError('not a number');
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
  const moments = format.named('dateTime') as Intl.DateTimeFormat;
  return moments.format(format.shifted(value, moments));
}
