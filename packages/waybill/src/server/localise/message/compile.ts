/**
 * Compiles parsed messages. Words and plural rules follow the language of the message; numbers and dates follow the user's locale and zone
 * (D-18, D-31). `intl-messageformat` knows one locale only, so it asks us for its formatters, and one compiled message serves every user.
 */
import { isArgumentElement, isPluralElement, isSelectElement, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat, type Formatters } from 'intl-messageformat';
import { intlTag } from '../../../wire/language/tag.js';
import { isolate, isRightToLeft, mayTurn } from '../bidi.js';
import type { FormatPresets } from '../format/presets.js';
import type { FormatSet } from '../format/set.js';
import { isFault, type Compiler, type CompiledMessage } from '../message.js';
import { parseMessage } from './parse.js';

/**
 * A prefix for the names of placeholders that are inserted as text. `{x}` is inserted isolated from its surroundings, while a `select` or
 * `plural` on the same name needs the raw value.
 */
const INSERTED = '\u2068';

export function compilerWith(presets: FormatPresets): Compiler {
  const parse: Compiler['parse'] = (text) => parseMessage(text, presets);
  return { parse, compile: (text, language) => compile(parse, text, language) };
}

function compile(parse: Compiler['parse'], text: string, language: string): CompiledMessage {
  const parsed = parse(text);
  if (isFault(parsed)) throw new SyntaxError(`line ${parsed.line}, column ${parsed.column}: ${parsed.problem}`);
  const tag = intlTag(language) ?? 'und';
  const isolates = isRightToLeft(tag) || mayTurn(text);
  const inserted = new Set<string>();
  const counted = new Set<string>();
  prepareNames(parsed.elements, inserted, counted);
  // Formatting is synchronous, so the formatters of the user being answered can stand here while `message.format` runs.
  let current: FormatSet | undefined;
  const formatters = userFormatters(tag, isolates, () => current as FormatSet);
  const message = new IntlMessageFormat(parsed.elements, tag, undefined, { formatters });
  return (values, format) => {
    const given = Object.assign(Object.create(null) as Record<string, unknown>, values);
    // A missing value stays missing: the branch that is taken may not need it.
    for (const name of inserted) if (isPresent(given[name])) given[INSERTED + name] = isolate(textOf(given[name], format), isolates);
    // MessageFormat would write "NaN" for the text "many", and 0 for null.
    for (const name of counted) {
      if (isPresent(given[name])) requireNumber(given[name]);
      else Reflect.deleteProperty(given, name);
    }
    const before = current;
    current = format;
    try {
      return String(message.format(given as never));
    } finally {
      current = before;
    }
  };
}

/** Returns the formatters that `intl-messageformat` asks for: always those of the current user. */
function userFormatters(tag: string, isolates: boolean, current: () => FormatSet): Formatters {
  const formatter = (kind: 'number' | 'date') => (_locale: unknown, style?: object) => {
    const set = current();
    const made = (style === undefined ? set.named(kind) : set.styled(kind, style)) as { format(value: unknown): string };
    return {
      format: (value: unknown): string =>
        isolate(made.format(kind === 'number' ? requireNumber(value) : set.shifted(value, made)), isolates),
    };
  };
  const plurals = new Map<unknown, Intl.PluralRules>();
  const getPluralRules = (_locale: unknown, options: Intl.PluralRulesOptions): { select(value: number): string } => {
    let rules = plurals.get(options.type);
    if (rules === undefined) plurals.set(options.type, (rules = new Intl.PluralRules(tag, options)));
    const chosen = rules;
    return { select: (value) => chosen.select(value) };
  };
  return { getNumberFormat: formatter('number'), getDateTimeFormat: formatter('date'), getPluralRules } as unknown as Formatters;
}

/** Collects the names that are inserted as text, and renames them in the message, and the names that are counted. */
function prepareNames(elements: readonly MessageFormatElement[], inserted: Set<string>, counted: Set<string>): void {
  for (const element of elements) {
    if (isArgumentElement(element)) {
      inserted.add(element.value);
      element.value = INSERTED + element.value;
    }
    if (isPluralElement(element)) counted.add(element.value);
    if (isPluralElement(element) || isSelectElement(element))
      for (const option of Object.values(element.options)) prepareNames(option.value, inserted, counted);
  }
}

function requireNumber(value: unknown): number | bigint {
  if ((typeof value !== 'number' || Number.isNaN(value)) && typeof value !== 'bigint') throw new TypeError('not a number');
  return value;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Text and numbers stay as they are; moments and lists are formatted for the user. */
function textOf(value: unknown, format: FormatSet): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return (format.named('list') as Intl.ListFormat).format(value.map((item: unknown) => textOf(item, format)));
  const moments = format.named('dateTime') as Intl.DateTimeFormat;
  return moments.format(format.shifted(value, moments));
}
