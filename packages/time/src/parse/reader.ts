/** A cursor over items. Every rule takes a place, returns what it read there or `undefined`, and leaves in `end` where it stopped. */
import type { When } from '../when.js';
import { GAP, type Item } from './lex.js';
import { NOTHING, type Joined, type Word } from './lexicon.js';
import type { Words } from './words.js';

/** Why a phrase is refused, and the items that are to blame. */
export type Reason = 'beside' | 'vague' | 'several' | 'impossible' | 'calendar';
export interface Blame {
  readonly reason: Reason;
  readonly start: number;
  readonly end: number;
}

export interface Reader {
  readonly items: readonly Item[];
  /** Folded. */
  readonly text: string;
  /** The same places in the letters they were written in, where folding moved none; else folded. */
  readonly written: string;
  readonly when: When;
  /** Words that may stand beside a phrase. */
  readonly words: Words;
  /** Set in a script without spaces. */
  readonly joined: Joined | undefined;
  /** No words of the language are known. */
  readonly plain: boolean;
  end: number;
  /** Set where something is refused; the last one counts. */
  blame: Blame | undefined;
  /** Rules tried: the bound on the work is a property test's, not a promise. */
  steps: number;
}

/** Notes why, and is true: for rules that ask whether something has to be refused. */
export function blames(reader: Reader, reason: Reason, start: number, end = start + 1): true {
  reader.blame = { reason, start, end };
  return true;
}

/** Outside the text there is a gap. A negative index would be looked up as the name of a property, which is slow. */
export const itemAt = (reader: Reader, at: number): Item => (at < 0 ? GAP : (reader.items[at] ?? GAP));
export const wordAt = (reader: Reader, at: number): Word => itemAt(reader, at).word;
export const markAt = (reader: Reader, at: number): string => itemAt(reader, at).mark;

/** The first place between two whose item passes the test. */
export function findItem({ items }: Pick<Reader, 'items'>, from: number, to: number, test: (item: Item) => unknown): number | undefined {
  for (let at = Math.max(0, from); at < to && at < items.length; at++) if (test(items[at] ?? GAP)) return at;
  return undefined;
}

export const isEnd = (reader: Reader, at: number): boolean => at >= reader.items.length || markAt(reader, at) !== '';

/** "Last Friday's meeting" */
export function isPossessive(reader: Reader, at: number): boolean {
  const { start, end } = itemAt(reader, at);
  return end - start === 1 && reader.text.charAt(start - 1) === "'";
}

const SIGNS = /^[%€$£¥°]$/;

/** True if the number before this item must be a count of it. */
export const isSum = (reader: Reader, at: number): boolean => wordAt(reader, at).sum === true || SIGNS.test(markAt(reader, at));

const FIRST = /^[^\S\n]*(\p{L}+)/u;

/** The word at this place if it is a noun of reports and messages. */
export function nounAt(reader: Reader, at: number): string | undefined {
  const { end } = itemAt(reader, at - 1);
  const word = isUnknown(reader, at) ? FIRST.exec(reader.written.slice(end, end + 48))?.[1] : undefined;
  return word !== undefined && reader.words.isNoun(word) ? word : undefined;
}

/** True if the number before this item may be a count of it: one of some words, or a noun with an s, "5 invoices". */
export const isCounted = (reader: Reader, at: number): boolean =>
  wordAt(reader, at).thing === true || isSum(reader, at) || nounAt(reader, at)?.endsWith('s') === true;

/** A word that says nothing about time. */
export const isUnknown = (reader: Reader, at: number): boolean => {
  const item = at < 0 ? undefined : reader.items[at];
  return item !== undefined && (item.word === NOTHING || item.word.dated !== undefined) && item.num === undefined && item.mark === '';
};

/** True if the number before this item is probably a count of it. */
export const isCount = (reader: Reader, at: number): boolean => isCounted(reader, at) || isUnknown(reader, at);

/** Tells whether the text has a capital at this place. */
export const isCapital = (reader: Reader, at: number): boolean => /\p{Lu}/u.test(reader.written.charAt(at));

/** Two, twenty two, 22. */
export function readNumber(reader: Reader, at: number): number | undefined {
  const item = itemAt(reader, at);
  if (item.num !== undefined) {
    reader.end = at + 1;
    return item.num;
  }
  const { num } = item.word;
  if (num === undefined) return undefined;
  reader.end = at + 1;
  if (num < 20 || num > 90 || num % 10 !== 0) return num;
  const next = skipInside(reader, at + 1);
  const { num: one, article } = wordAt(reader, next);
  if (one === undefined || one < 1 || one > 9 || (article && next === at + 1)) return num;
  reader.end = next + 1;
  return num + one;
}

/** Twenty-two, treinta y dos. */
function skipInside(reader: Reader, at: number): number {
  const { word, mark, glued } = itemAt(reader, at);
  return word.and || (mark === '-' && glued) ? at + 1 : at;
}

/** Third, 3rd, 3. (where ordinals are written so), 第3. */
export function readOrdinal(reader: Reader, at: number): number | undefined {
  const { word, num } = itemAt(reader, at);
  // Portuguese "segundas" are Mondays.
  if (word.ord !== undefined && !(word.plural && word.weekday !== undefined)) {
    reader.end = at + 1;
    return word.ord;
  }
  if (word.ordMark) return readNumber(reader, at + 1);
  if (num !== undefined) {
    const next = itemAt(reader, at + 1);
    if (!next.glued || !(next.word.ordSuffix || next.mark === '.' || next.mark === '°')) return undefined;
    // 18.07. is no eighteenth.
    if (next.mark === '.' && itemAt(reader, at + 2).glued && itemAt(reader, at + 2).num !== undefined) return undefined;
    reader.end = at + 2;
    return num;
  }
  if (word.num !== undefined && word.num >= 20 && word.num <= 90) {
    const next = skipInside(reader, at + 1);
    const { ord } = wordAt(reader, next);
    if (ord === undefined || ord > 9) return undefined;
    reader.end = next + 1;
    return word.num + ord;
  }
  return undefined;
}
