/** Words that may stand beside a phrase and leave it as it is, as a grammar lists them. */
import { tenseIn } from '../tense.js';
import { fold } from './fold.js';
import { listOf } from './list.js';
import type { Beside, Grammar, Tense } from './word.js';

export interface Words {
  /** A word in the letters it was written in. A verb in a tense is neutral too. */
  readonly isNeutral: (word: string) => boolean;
  readonly isPreposition: (word: string) => boolean;
  /** Whether the words around a phrase, in lower case, ask, tell or say that something happened. */
  readonly isSentence: (around: string) => boolean;
  /** In scripts without spaces: whether a neutral word stands at that end of the text. */
  readonly begins: (text: string) => boolean;
  readonly ends: (text: string) => boolean;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const NONE: Beside = { asks: '', neutral: '' };

export function wordsOf(
  { asks, prepositions = '', neutral }: Beside = NONE,
  tense: Tense | undefined,
  script: Grammar['script'],
  characters: ReadonlyMap<string, string>,
): Words {
  const plain = (text: string): string => Array.from(text, (character) => characters.get(character) ?? character).join('');
  const asking = listOf(asks);
  const known = listOf(`${asks} ${neutral}`);
  const leading = listOf(prepositions);
  const begins = (text: string): boolean => known.all.some((word) => plain(text).startsWith(plain(word)));
  const ends = (text: string): boolean => known.all.some((word) => plain(text).endsWith(plain(word)));
  return {
    isPreposition: (word) => leading.has(firstPart(word)),
    isNeutral: (word) =>
      (script === 'joined' ? begins(word) || ends(word) : known.has(firstPart(word))) ||
      (tense !== undefined && tenseIn(tense, word.toLowerCase()) !== undefined),
    isSentence: (around) =>
      (tense !== undefined && tenseIn(tense, around) !== undefined) ||
      (script === 'joined'
        ? asking.all.some((word) => plain(around).includes(plain(word)))
        : (around.match(WORD) ?? []).some((word) => asking.has(fold(word).text))),
    begins,
    ends,
  };
}

/** "What's", "d'avril": the words on both sides of an apostrophe are two. */
const firstPart = (word: string): string => fold(word).text.replace(/'.*/, '');

const never = (): boolean => false;
export const NO_WORDS: Words = { isNeutral: never, isPreposition: never, isSentence: never, begins: never, ends: never };

/** Words of either language: agents write English into a sentence of another one. */
export const wordsOfBoth = (one: Words, other: Words): Words => ({
  isNeutral: (word) => one.isNeutral(word) || other.isNeutral(word),
  isPreposition: one.isPreposition,
  isSentence: (around) => one.isSentence(around) || other.isSentence(around),
  begins: one.begins,
  ends: one.ends,
});
