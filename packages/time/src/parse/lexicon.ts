/** A grammar's rows as a tree to walk: by words where spaces part them, by characters where not. Built when first asked for. */
import type { Direction } from '../resolve.js';
import { fold } from './fold.js';
import { wordsOf, type Words } from './words.js';
import type { Item } from './lex.js';
import type { Found, Outcome } from './outcome.js';
import type { Reader } from './reader.js';
import { Senses, type Grammar, type Sense, type Tense } from './word.js';

/** A word with all senses as members, most of them `undefined`. */
export type Word = { readonly [Key in keyof Sense]-?: Sense[Key] | undefined } & {
  /** The rules that may begin with it, as bits. */
  readonly starts: number;
};

/** One bit for each rule of a piece (pieces.ts). */
export const START = {
  relative: 1,
  turned: 2,
  rolling: 4,
  ago: 8,
  nth: 16,
  labelled: 32,
  iso: 64,
  numeric: 128,
  named: 256,
  clock: 512,
} as const;
/** Any number in figures may begin these. */
export const NUMBER_STARTS: number = START.rolling | START.ago | START.nth | START.iso | START.numeric | START.named | START.clock;

function startsOf(sense: Omit<Word, 'starts'>): number {
  const has = (bits: number, ...keys: (keyof Sense)[]): number => (keys.some((key) => sense[key] !== undefined) ? bits : 0);
  return (
    has(START.relative, 'rel', 'now', 'day', 'span', 'part', 'twelve') |
    has(START.turned, 'unit', 'weekday', 'month', 'part') |
    has(START.rolling, 'rel', 'num') |
    has(START.ago, 'lead', 'num') |
    has(START.nth, 'half', 'quarter', 'ord', 'ordMark', 'weekday', 'num') |
    has(START.labelled, 'label') |
    has(START.named, 'month', 'ord', 'ordMark', 'dayMark', 'era', 'num') |
    has(START.clock, 'at', 'hour', 'before', 'num', 'about')
  );
}

export interface Node {
  word: Word | undefined;
  next: Map<string, Node> | undefined;
}

/** The tables for a script without spaces. */
export interface Joined {
  /** Adds the items at a place, and returns the place behind them. `written` is the text before characters that stand for others were replaced. */
  readonly lex: (text: string, written: string, start: number, lexicon: Lexicon, items: Item[], glued: boolean) => number;
  /** 月末. */
  readonly readThirdOf: (reader: Reader, at: number) => Outcome;
  /** 1-3月. */
  readonly readMonths: (reader: Reader, at: number, direction: Direction) => Outcome;
  /** 令和8年. */
  readonly readEra: (reader: Reader, at: number) => number | undefined;
  /** Tells whether a year of an unknown era stands before a place. */
  readonly afterYear: (reader: Reader, at: number) => boolean;
  /** Tells whether the word before a phrase, at that place, makes it another. */
  readonly leavesOver: (reader: Reader, found: Found, at: number) => boolean;
  /** Tells whether no other word at the phrase could. */
  readonly touchesNothing: (reader: Reader, found: Found) => boolean;
}

export interface Lexicon {
  /** Set where no spaces stand between words. */
  readonly joined: Joined | undefined;
  readonly roots: Map<string, Node>;
  readonly same: readonly (readonly [string, string])[];
  /** Single characters that stand for others, in the joined scripts. */
  readonly characters: ReadonlyMap<string, string>;
  readonly tense: Tense | undefined;
  readonly words: Words;
}

const none = new Senses() as Omit<Word, 'starts'>;
/** Spread, not assigned: objects that are assigned to become slow tables. */
export const NOTHING: Word = { ...none, starts: 0 };

export function buildLexicon({ joined, endings = '', same = [], rows, tense, beside }: Grammar): Lexicon {
  const roots = new Map<string, Node>();
  const characters = new Map(joined ? same : []);
  const ends = endings.split(' ');
  for (const [sense, forms] of rows)
    for (const form of forms.split(',')) {
      const stem = fold(form.trim()).text;
      const written = stem.endsWith('-') ? ends.map((end) => stem.slice(0, -1) + end) : [stem];
      for (const one of written) add(roots, steps(one, joined, same, characters), sense);
    }
  return { joined, roots, same: joined ? [] : same, characters, tense, words: wordsOf(beside, tense, joined !== undefined, characters) };
}

function steps(form: string, joined: Joined | undefined, same: Lexicon['same'], characters: Lexicon['characters']): string[] {
  if (joined) return Array.from(form.replaceAll(' ', ''), (character) => characters.get(character) ?? character);
  return form
    .split(/[ './-]+/)
    .filter(Boolean)
    .map((word) => alike(word, same));
}

export function alike(word: string, same: Lexicon['same']): string {
  let result = word;
  for (const [from, to] of same) if (result.includes(from)) result = result.replaceAll(from, to);
  return result;
}

function add(roots: Map<string, Node>, path: readonly string[], sense: Sense): void {
  let level = roots;
  let node: Node | undefined;
  for (const step of path) {
    if (node) level = node.next ??= new Map<string, Node>();
    node = level.get(step);
    if (!node) level.set(step, (node = { word: undefined, next: undefined }));
  }
  if (!node) return;
  const word = { ...(node.word ?? NOTHING), ...sense };
  node.word = { ...word, starts: startsOf(word) };
}
