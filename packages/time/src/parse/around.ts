/** What stands next to a phrase: joints, names, and the sentence around both. */
import { sentenceAround } from '../tense.js';
import { NOTHING } from './lexicon.js';
import type { Found } from './outcome.js';
import { findItem, isCapital, itemAt, wordAt, type Reader } from './reader.js';
import { isLink } from './timeWords.js';

type Place = Pick<Found, 'start' | 'end'>;
export type Link = 'none' | 'prep' | 'of';

export const MAX_JOINTS = 4;
/** Characters looked at for the word next to a phrase. */
export const REACH = 48;
export const LAST_WORD: RegExp = /([\p{L}\p{M}\p{N}'_-]+)[^\S\n]*$/u;

export function isJoint(reader: Reader, at: number): boolean {
  const word = wordAt(reader, at);
  return isLink(word) || word.article === true || isPreposition(reader, at) || (word.from ?? word.of) === true || leadsOn(reader, at);
}

/** The grammar knows it by another sense: French "au" is also "to". */
const leadsOn = (reader: Reader, at: number): boolean =>
  wordAt(reader, at).to !== undefined && reader.words.isPreposition(firstWord(reader, at));

export function firstWord(reader: Reader, at: number): string {
  const { start, end } = itemAt(reader, at);
  return reader.text.slice(start, end).split(' ', 1)[0] ?? '';
}

export function isPreposition(reader: Reader, at: number): boolean {
  const { prep, at: clock, lead, bound, off, groups } = wordAt(reader, at);
  return groups !== true && ((prep ?? clock ?? lead ?? bound ?? off) !== undefined || leadsOn(reader, at));
}

/** A weekday, month or number that a word before it could make another: "Plough Monday", "Python 3.12". */
export function isName(reader: Reader, { start, fields }: Found): boolean {
  if ((fields?.turn ?? fields?.shift ?? fields?.span) !== undefined) return false;
  const { word, num } = itemAt(reader, isJoint(reader, start) ? start + 1 : start);
  if (word.month !== undefined && fields?.year !== undefined) return false;
  return (num ?? word.weekday ?? word.month ?? word.unit ?? word.ord ?? word.half ?? word.quarter) !== undefined;
}

/** A preposition of an unknown language may turn even a full date: "до 15.03.2026". "Sort code 12-03-26" is no full one. */
export const isFullDate = (reader: Reader, { start, end, fields }: Found): boolean =>
  !reader.plain &&
  ((fields?.year && (fields.quarter ?? fields.half ?? (fields.month && fields.day))) ?? fields?.week) !== undefined &&
  findItem(reader, start, end, ({ digits, word }) => digits > 2 || word !== NOTHING) !== undefined;

/** A name by its capital; at the start of a text every word has one, and in German every noun. */
export const isProper = (reader: Reader, start: number): boolean =>
  start > 0 && reader.when.locale.language !== 'de' && isCapital(reader, start);

/** Tells whether somebody asks, tells or did something here: then a noun beside the phrase is a part of that. */
export const isSentence = (reader: Reader, found: Place): boolean => reader.words.isSentence(textAround(reader, found));

export const textAround = (reader: Reader, { start, end }: Place): string =>
  sentenceAround(reader.written, itemAt(reader, start).start, itemAt(reader, end - 1).end)
    .join(' | ')
    .toLowerCase();
