/** A relation behind a phrase and something that no clock or calendar shows: "after work", "at lunch", "at 25". */
import { isCount, isUnknown, itemAt, markAt, wordAt, type Reader } from './reader.js';
import { isAboutTime, isLink } from './timeWords.js';

/** "Morgen kurz nach dem Frühstück": a time that no clock shows, and a relation to it. */
export function isNarrowed(reader: Reader, end: number): boolean {
  let related = false;
  for (let at = end; at < end + FAR && markAt(reader, at) === ''; at++) {
    const { unclocked, bound, off, at: place, about, vague } = wordAt(reader, at);
    if (unclocked && related) return true;
    related ||= (bound ?? off ?? place ?? about ?? vague) !== undefined;
  }
  return false;
}

/** Items behind the phrase in which such a time is looked for. */
const FAR = 5;

/** "Monday after work"; German "nach Region" says by what, Dutch "voor" for whom. */
export function isRelation(reader: Reader, at: number): boolean {
  const { past, groups } = wordAt(reader, at);
  if (past === undefined) return groups !== true;
  return reader.when.locale.language === 'de' && (past < 0 || isLink(wordAt(reader, at + 1)));
}

/** "At 25", "at around half past". */
export function isNoTime(reader: Reader, at: number): boolean {
  const next = wordAt(reader, at).about ? at + 1 : at;
  const { num, word } = itemAt(reader, next);
  return (num !== undefined && !isCount(reader, next + 1)) || (word.before ?? word.edge) !== undefined || isAboutTime(word);
}

/** Behind an article or two something that the grammar does not know. */
export function isPlaceless(reader: Reader, at: number): boolean {
  let next = at;
  for (let skipped = 0; skipped < 2 && isLink(wordAt(reader, next)); skipped++) next++;
  return (
    isUnknown(reader, next) || isAboutTime(wordAt(reader, next)) || (wordAt(reader, next).edge ?? wordAt(reader, next).vague) !== undefined
  );
}
