/**
 * Every other language: what `Intl.RelativeTimeFormat` can say is said, and read backwards. The words ("last month", "vorgestern")
 * are calendar units, the counted forms ("3 weeks ago") one day, as in the grammars. No data of our own but for the words beside a phrase that would change it.
 */
import { changesPhrase } from './beside.js';
import { neutralWords } from './neutral.js';
import { areOwnNames } from './ownNames.js';
import { fold, type Folded } from './parse/fold.js';
import { clockUnitSpan, pointSpanOf } from './parse/length.js';
import type { Words } from './parse/words.js';
import { unitSpan, type Span } from './span.js';
import { spokenLanguages } from './spoken.js';
import type { When } from './when.js';
import type { Unit } from './types.js';

type Counted = Exclude<Unit, 'weekend' | 'half'>;
interface Meaning {
  readonly unit: Counted;
  /** Units from now; for a counted form only the direction, and the number is in the text. */
  readonly by: number;
  readonly counted: boolean;
}
interface Place {
  next: Map<string, Place> | undefined;
  /** Several where the language has one word for two days. */
  meanings: Meaning[];
  /** 0 where the full style says it, 2 where only the narrow one does. */
  style: number;
}

export interface RelativeHit {
  readonly spans: readonly Span[];
  readonly start: number;
  readonly end: number;
}

export interface RelativeFound {
  /** Without spans where a word beside the phrase changes it. */
  readonly hit: RelativeHit | undefined;
  /** Characters looked at. */
  readonly steps: number;
}

const UNITS: readonly Counted[] = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];
const STYLES = ['long', 'short', 'narrow'] as const;
/** Stands for the number in a counted form; no text has it after folding. */
const NUMBER = '\u0000';
const LONGEST = 64;
const MAX_LANGUAGES = 32;
const tables = new Map<string, Map<string, Place> | undefined>();

/** `undefined` where the runtime has nothing to say in the language. */
function relativeTable(tag: string): Map<string, Place> | undefined {
  if (tables.has(tag)) return tables.get(tag);
  const table = Intl.RelativeTimeFormat.supportedLocalesOf(tag).length > 0 ? invert(tag) : undefined;
  if (tables.size >= MAX_LANGUAGES) tables.clear();
  tables.set(tag, table);
  return table;
}

function invert(tag: string): Map<string, Place> {
  const roots = new Map<string, Place>();
  const counts = pluralCounts(tag);
  STYLES.forEach((style, rank) => {
    const always = new Intl.RelativeTimeFormat(tag, { numeric: 'always', style });
    const auto = new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style });
    for (const unit of UNITS) {
      for (const by of [-3, -2, -1, 0, 1, 2, 3]) {
        const said = auto.format(by, unit);
        if (said !== always.format(by, unit)) add(roots, said, { unit, by, counted: false }, rank);
      }
      for (const count of counts)
        for (const sign of [-1, 1]) addCounted(roots, always.formatToParts(sign * count, unit), unit, sign, count, rank);
    }
  });
  return roots;
}

/** One number for every plural form of the language. */
function pluralCounts(tag: string): number[] {
  const rules = new Intl.PluralRules(tag);
  const found = new Map<string, number>();
  for (let count = 1; count <= 120; count++) if (!found.has(rules.select(count))) found.set(rules.select(count), count);
  return [...new Set([1, 2, 3, ...found.values()])];
}

function addCounted(
  roots: Map<string, Place>,
  parts: Intl.RelativeTimeFormatPart[],
  unit: Counted,
  sign: number,
  count: number,
  rank: number,
): void {
  const numbers = parts.filter(({ type }) => type !== 'literal').length;
  const text = parts.map(({ type, value }) => (type === 'literal' ? value : NUMBER)).join('');
  // Some languages have a word for two weeks, and no number in it.
  if (numbers === 0) add(roots, text, { unit, by: sign * count, counted: true }, rank);
  else if (numbers === 1) add(roots, text, { unit, by: sign, counted: true }, rank);
}

function add(roots: Map<string, Place>, said: string, meaning: Meaning, rank: number): void {
  const text = said.split(NUMBER).map(foldText).join(NUMBER);
  if (!/\p{L}/u.test(text)) return;
  let level = roots;
  let place: Place | undefined;
  for (const character of text.split('')) {
    if (place) level = place.next ??= new Map<string, Place>();
    place = level.get(character);
    if (!place) level.set(character, (place = { next: undefined, meanings: [], style: rank }));
  }
  if (!place) return;
  if (place.meanings.length === 0) place.style = rank;
  const known = place.meanings.some(({ unit, by, counted }) => unit === meaning.unit && by === meaning.by && counted === meaning.counted);
  if (!known && place.style === rank) place.meanings.push(meaning);
}

const foldText = (text: string): string => fold(text).text.replace(/\s+/g, ' ');

/** Scripts that write without spaces, or put particles behind the word. */
const runsOn = (code: number): boolean => (code >= 0x0e00 && code < 0x10a0) || (code >= 0x1780 && code < 0x1800) || code >= 0x2e80;
const isWord = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code > 47 && !runsOn(code) && /[\p{L}\p{M}\p{Nd}]/u.test(text.charAt(at));
};

/** The first phrase, the longest there. */
export function findRelative({ text }: Folded, when: When, prefer: 'future' | 'past'): RelativeFound {
  const roots = relativeTable(when.locale.tag);
  let steps = 0;
  if (!roots) return { hit: undefined, steps };
  for (let start = 0; start < text.length; start++) {
    steps++;
    if (start > 0 && isWord(text, start - 1) && (isWord(text, start) || text[start] === '-')) continue;
    const found = matchAt(text, start, roots);
    steps += found.steps;
    if (!found.meanings) continue;
    const { tag, language } = when.locale;
    const spans = changesPhrase(text, start, found.end, tag, language) ? [] : spansOf(when, found.meanings, found.number, prefer);
    return { hit: { spans, start, end: found.end }, steps };
  }
  return { hit: undefined, steps };
}

function matchAt(
  text: string,
  start: number,
  roots: Map<string, Place>,
): { meanings?: Meaning[]; number: number; end: number; steps: number } {
  let level: Map<string, Place> | undefined = roots;
  let [at, number, steps] = [start, 0, 0];
  let best: { meanings: Meaning[]; number: number; end: number } | undefined;
  while (level && at < text.length && at < start + LONGEST) {
    steps++;
    const character = text.charAt(at);
    const isDigit = character >= '0' && character <= '9';
    const place: Place | undefined = level.get(isDigit ? NUMBER : /\s/.test(character) ? ' ' : character);
    if (!place) break;
    if (isDigit) {
      const first = at;
      while (at < text.length && at < first + 7 && text.charAt(at) >= '0' && text.charAt(at) <= '9') at++;
      number = Number(text.slice(first, at));
    } else {
      at++;
      if (character === ' ') while (at < start + LONGEST && text.charAt(at) === ' ') at++;
    }
    if (place.meanings.length > 0 && !(isWord(text, at - 1) && isWord(text, at))) best = { meanings: place.meanings, number, end: at };
    level = place.next;
  }
  return best ? { ...best, steps } : { number: 0, end: start, steps };
}

function spansOf(when: When, meanings: readonly Meaning[], number: number, prefer: 'future' | 'past'): Span[] {
  // A form that counts different units says nothing; one that points both ways says two things.
  if (meanings.some(({ unit }) => unit !== meanings[0]?.unit)) return [];
  const sign = prefer === 'future' ? 1 : -1;
  return [...meanings]
    .sort((a, b) => sign * (b.by - a.by))
    .map((meaning) => spanOf(when, meaning, number))
    .filter((span) => span !== undefined);
}

function spanOf(when: When, { unit, by, counted }: Meaning, number: number): Span | undefined {
  if (counted) return pointSpanOf(when, unit, Math.abs(number || by), Math.sign(by));
  if (unit === 'second' || unit === 'minute' || unit === 'hour') return clockUnitSpan(when, unit, by);
  return unitSpan(when, unit, by);
}

/** Every language without a grammar, as an entry of the package hands it in. */
export interface Others {
  readonly find: typeof findRelative;
  /** Words that may stand beside a phrase. */
  readonly words: (language: string) => Words;
  /** Tells whether an English phrase could be names of months and days of this language. */
  readonly areOwnNames: (phrase: string, tag: string) => boolean;
  /** All that this runtime speaks. */
  readonly languages: () => string[];
}
export const others: Others = { find: findRelative, words: neutralWords, areOwnNames, languages: spokenLanguages };
