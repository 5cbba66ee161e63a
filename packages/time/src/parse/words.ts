/** Words that may stand beside a phrase and leave it as it is, as a grammar lists them. */
import { tenseIn } from '../tense.js';
import { fold } from './fold.js';
import { listOf } from './list.js';
import type { Beside, Tense } from './word.js';

export interface Words {
  /** A word in the letters it was written in. A verb in a tense is neutral too. */
  readonly isNeutral: (word: string) => boolean;
  readonly isPreposition: (word: string) => boolean;
  readonly isPlace: (word: string) => boolean;
  /** A neutral word that is not a function word. */
  readonly isNoun: (word: string) => boolean;
  /** Tells whether a folded text begins with several things: "les absences de". */
  readonly isPlural: (text: string) => boolean;
  /** Tells whether one of them is around. */
  readonly hasNoun: (around: string) => boolean;
  /** Tells whether the words around a phrase, in lower case, ask, tell or say that something happened. */
  readonly isSentence: (around: string) => boolean;
  /** Tells whether a text in lower case has a verb in a tense. */
  readonly hasVerb: (text: string) => boolean;
  /** In scripts without spaces: whether a neutral word stands at that end of the text. */
  readonly begins: (text: string) => boolean;
  readonly ends: (text: string) => boolean;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Nouns of reports and messages that are spelt so in many languages. */
const INTERNATIONAL = `ticket- hotel- email- e-mail budget- download- backup- mail- team- deploy- incident- site- document-
report- server- web- release- log- login- system- sistem- planning-`;
/** Function words are this short. */
const SHORT = 4;
const HEAD = 4;
const NONE: Beside = { asks: '', neutral: '' };

export function wordsOf(
  { asks, prepositions = '', places = '', plural, neutral }: Beside = NONE,
  tense: Tense | undefined,
  isJoined: boolean,
  characters: ReadonlyMap<string, string>,
): Words {
  const plain = (text: string): string => Array.from(text, (character) => characters.get(character) ?? character).join('');
  const asking = listOf(asks);
  const known = listOf(`${asks} ${neutral} ${INTERNATIONAL}`);
  const nouns = listOf(
    `${neutral} ${INTERNATIONAL}`
      .split(/\s+/)
      .filter((word) => word.length > SHORT)
      .join(' '),
  );
  const leading = listOf(prepositions);
  const placing = listOf(places);
  // "Stromverbrauch": the last part of a compound says what it is.
  const heads = nouns.all.filter((word) => word.length > HEAD);
  const isCompound = (word: string): boolean => !isJoined && heads.some((head) => fold(word).text.indexOf(head) > 2);
  const isNoun = (word: string): boolean => nouns.has(firstPart(word)) || nouns.has(lastPart(word)) || isCompound(word);
  const begins = (text: string): boolean => known.all.some((word) => plain(text).startsWith(plain(word)));
  const ends = (text: string): boolean => known.all.some((word) => plain(text).endsWith(plain(word)));
  const plurals = plural === undefined ? undefined : new RegExp(`(?<!\\p{L})${plural}`, 'u');
  const hasVerb = (text: string): boolean => tense !== undefined && tenseIn(tense, text) !== undefined;
  return {
    hasVerb,
    isPreposition: (word) => leading.has(firstPart(word)),
    isPlace: (word) => placing.has(firstPart(word)),
    isNoun,
    isPlural: (text) => plurals?.test(text) === true,
    hasNoun: (around) => (around.match(WORD) ?? []).some(isNoun),
    isNeutral: (word) =>
      (isJoined ? begins(word) || ends(word) : known.has(firstPart(word)) || known.has(lastPart(word)) || isCompound(word)) ||
      hasVerb(word.toLowerCase()),
    isSentence: (around) =>
      hasVerb(around) ||
      (isJoined
        ? asking.all.some((word) => plain(around).includes(plain(word)))
        : (around.match(WORD) ?? []).some((word) => asking.has(fold(word).text))),
    begins,
    ends,
  };
}

/** "What's", "d'avril": the words on both sides of an apostrophe are two. */
const firstPart = (word: string): string => fold(word).text.replace(/'.*/, '');

const lastPart = (word: string): string => fold(word).text.replace(/.*'/, '');

const never = (): boolean => false;
export const NO_WORDS: Words = {
  hasVerb: never,
  isNeutral: never,
  isPreposition: never,
  isPlace: never,
  isNoun: never,
  isPlural: never,
  hasNoun: never,
  isSentence: never,
  begins: never,
  ends: never,
};

/** Words of either language: agents write English into a sentence of another one. */
export const wordsOfBoth = (one: Words, other: Words): Words => ({
  isNeutral: (word) => one.isNeutral(word) || other.isNeutral(word),
  isPreposition: one.isPreposition,
  isPlace: one.isPlace,
  isNoun: (word) => one.isNoun(word) || other.isNoun(word),
  isPlural: one.isPlural,
  hasNoun: (around) => one.hasNoun(around) || other.hasNoun(around),
  isSentence: (around) => one.isSentence(around) || other.isSentence(around),
  hasVerb: (text) => one.hasVerb(text) || other.hasVerb(text),
  begins: one.begins,
  ends: one.ends,
});
