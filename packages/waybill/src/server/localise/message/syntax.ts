/** The syntax of MessageFormat: what is plain text, how text is quoted, and where a message goes wrong. */
import type { FormatPresets } from '../format/presets.js';
import { meaningless, type Read } from './skeleton.js';

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

/** Elements as the parser gives them: 0 text, 1 placeholder, 2 number, 3 date, 4 time, 5 select, 6 plural, 7 `#`. */
export interface Element {
  type: number;
  value: string;
  style?: unknown;
  options?: Record<string, { value: Element[] }>;
  pluralType?: Intl.PluralRuleType;
  location?: { start: { offset: number }; end: { offset: number } };
}

/** `select` and its like nest; what a catalogue may hold is bounded like everything else. */
const DEEPEST = 32;

/** Gives every named style its options, and refuses names that are none. What a message means is settled here, once. */
export function resolveStyles(elements: readonly Element[], presets: FormatPresets, read: Read, depth = 0): void {
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
    if (element.type === 2 || element.type === 3 || element.type === 4) requireStyle(element, read);
    for (const [name, option] of Object.entries(element.options ?? {})) {
      if (element.type === 6 && !CATEGORY.test(name))
        throw located(element, `${JSON.stringify(name)} is no plural category: zero, one, two, few, many, other or =1`);
      resolveStyles(option.value, presets, read, depth + 1);
    }
  }
}

const CATEGORY = /^(?:zero|one|two|few|many|other|=-?\d+)$/;

/** What a skeleton asks for may be well-formed and yet nothing that `Intl` knows: `::currency/EURO`, `::bogus`. */
function requireStyle(element: Element, read: Read): void {
  const stray = meaningless(element, read);
  if (stray !== undefined) throw located(element, `${JSON.stringify(stray)} means nothing in a skeleton here`);
  const { parsedOptions } = element.style as { readonly parsedOptions?: object };
  try {
    if (element.type === 2) new Intl.NumberFormat('en', parsedOptions);
    else new Intl.DateTimeFormat('en', parsedOptions);
  } catch (error) {
    throw located(element, (error as Error).message);
  }
}

/**
 * What the parser takes for text and hardly ever is: a closing brace with nothing to close, and a placeholder behind the apostrophe of a
 * word, which quotes it ("l'{name}").
 */
export function unbalanced(text: string): Fault | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "'" && /['{}<>]/.test(text[at + 1] ?? '')) {
      if (isElided(text, at)) return { ...place(text, at), problem: "the apostrophe makes text of what follows; write two of them: ''{" };
      at = text[at + 1] === "'" ? at + 1 : endOfQuote(text, at + 1);
    } else if (char === '{') depth++;
    else if (char === '}' && --depth < 0) return { ...place(text, at), problem: 'closes a brace that was not opened' };
  }
  return undefined;
}

/** An apostrophe behind a letter, before a placeholder; one that is meant to quote has its other half behind a brace. */
function isElided(text: string, at: number): boolean {
  ELIDED.lastIndex = at;
  if (!ELIDED.test(text)) return false;
  const end = endOfQuote(text, at + 1);
  return end === text.length || !/[{}](?:'')*$/.test(text.slice(at + 1, end));
}

const ELIDED = /(?<=[\p{L}\p{N}])'(?:\{\s*[\p{L}\p{N}_]|<\/?[a-z])/uy;

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
export function faultOf(error: unknown): Fault {
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
