/** The words before a phrase: "kick-off in March" leaves it as it is, "crack of yesterday", "taco Tuesday" do not. */
import {
  isFullDate,
  isJoint,
  isName,
  isPreposition,
  isProper,
  isSentence,
  LAST_WORD,
  MAX_JOINTS,
  REACH,
  textAround,
  type Link,
} from './around.js';
import type { Found } from './outcome.js';
import { findItem, isCapital, isPossessive, isUnknown, itemAt, markAt, wordAt, type Reader } from './reader.js';
import { isAboutTime, isLink } from './timeWords.js';

const ADVERB = /(?:ly|mente)$/u;

export function allowsBefore(reader: Reader, found: Found): boolean {
  let at = found.start - 1;
  let link: Link = opensItself(reader, found) ? 'prep' : wordAt(reader, found.start).of ? 'of' : 'none';
  for (let joints = 0; joints < MAX_JOINTS && isJoint(reader, at); joints++, at--) {
    // "What's on tomorrow?"
    if (isPossessive(reader, at)) return true;
    const { of, from } = wordAt(reader, at);
    if (of) link = 'of';
    else if (link === 'none' && (from || isPreposition(reader, at))) link = 'prep';
  }
  if (link === 'of' && isShare(reader, at)) return false;
  if (wordAt(reader, at).dated ?? wordAt(reader, found.start).numbered) return true;
  if (!isUnknown(reader, at)) return !isLeftOver(reader, at, found, link);
  const place = itemAt(reader, at + 1).start;
  const word = LAST_WORD.exec(reader.written.slice(Math.max(0, place - REACH), place))?.[1];
  // A full stop, a quotation mark or a new line is between.
  if (word === undefined) return true;
  const start = reader.written.lastIndexOf(word, place - 1);
  // "Abonnement au Journal du dimanche"
  if (link === 'of' && isName(reader, found) && isProper(reader, start)) return false;
  if (link === 'of' ? reader.words.isNoun(word) : reader.words.isNeutral(word)) return true;
  // "An hour into tomorrow"
  if (reader.words.isPreposition(word)) return !isAboutTime(wordAt(reader, at - 1));
  if (link === 'prep') return !isPartOf(reader, at - 1) && (!ADVERB.test(word) || isSentence(reader, found));
  if (link === 'of') return isPlural(reader, start) || isThing(reader, found, start);
  // "Question Q1: …"
  if (markAt(reader, found.end) === ':' && (isName(reader, found) || wordAt(reader, found.start).label !== undefined)) return false;
  // "USA Today"
  if (reader.when.locale.language === 'en' && isCapital(reader, start) && isCapital(reader, place) && !reader.words.isNeutral(word))
    return false;
  if (isFullDate(reader, found)) return true;
  // "Emails from Anna yesterday", "project milestones next month"
  const isAround = !isName(reader, found) && (isProper(reader, start) || reader.words.hasNoun(textAround(reader, found)));
  if (!isAround && !isSentence(reader, found)) return false;
  return !isName(reader, found) || !modifies(reader, at, start);
}

/** "Sundown on Friday", "between lunch and 3pm", "version 2026.3", "9 on Monday". */
function isLeftOver(reader: Reader, at: number, found: Found, link: Link): boolean {
  const { word, num, digits } = itemAt(reader, at);
  if (word.unclocked && !word.thing) return true;
  if ((word.and ?? word.to) && wordAt(reader, at - 1).unclocked) return true;
  // "Ant and Dec"
  if (word.and && isName(reader, found) && /\p{Lu}\p{L}*\s$/u.test(reader.written.slice(0, itemAt(reader, at).start).slice(-REACH)))
    return true;
  if (word.to && isAboutTime(wordAt(reader, at - 1))) return true;
  // "Ten to tomorrow", "countdown to Friday"
  if (word.to && link === 'none' && !isSentence(reader, found)) return true;
  // "Pay-day Friday"
  if (word.unit !== undefined && markAt(reader, at - 1) === '-' && isUnknown(reader, at - 2)) return true;
  // "At the end of the day yesterday"
  if (word.unit !== undefined && isPartOf(reader, isLink(wordAt(reader, at - 1)) && !wordAt(reader, at - 2).edge ? at - 2 : at - 1))
    return true;
  if (word.top && itemAt(reader, found.start).num !== undefined) return true;
  return num !== undefined && digits <= 2 && num <= 24 && link === 'prep' && at === 0 && !isSentence(reader, found);
}

/** "Agenda de hoy", "¿quién hizo el resumen de ayer?"; in "a raíz de ayer" the preposition before the noun makes both a preposition. */
function isThing(reader: Reader, found: Found, start: number): boolean {
  if (reader.when.locale.language === 'en' || isName(reader, found)) return false;
  const before = LAST_WORD.exec(reader.written.slice(Math.max(0, start - REACH), start))?.[1];
  if (before !== undefined && reader.words.isPreposition(before)) return false;
  return start === 0 || found.span.grain === 'day' || isSentence(reader, found);
}

/** "10 % of last month"; "the top 10 of last month" are things. */
function isShare(reader: Reader, at: number): boolean {
  const { top, ord } = wordAt(reader, at - 1);
  const { num, word } = itemAt(reader, at);
  const isCount = (num ?? (word.article ? undefined : word.num)) !== undefined;
  return markAt(reader, at) === '%' || (isCount && (top ?? ord) === undefined && !isUnknown(reader, at - 1));
}

/** "The end of play on Friday" */
function isPartOf(reader: Reader, at: number): boolean {
  const { of } = wordAt(reader, at);
  const { edge, share, third, rest } = wordAt(reader, at - 1);
  return of === true && (edge ?? share ?? third ?? rest) !== undefined;
}

/** "Since", "until", "in 2 weeks": the preposition is a part of the phrase. */
function opensItself(reader: Reader, { start, end, kind }: Found): boolean {
  const { lead, bound, from, of, between, window, age, prep } = wordAt(reader, start);
  // German "vom 3. bis 7. März", but "der Bericht vom 3. März"
  const opens = of && findItem(reader, start, end, ({ word }) => word.to) === undefined ? undefined : from;
  return kind !== 'period' || (lead ?? bound ?? opens ?? between ?? window ?? age ?? prep) !== undefined;
}

/** A capital, or a preposition before it, makes a word a part of the name behind it: "on wacky Wednesday", "en plein mars". */
function modifies(reader: Reader, at: number, start: number): boolean {
  if (isProper(reader, start) || (start === 0 && reader.when.locale.language !== 'de' && isCapital(reader, start))) return true;
  const end = itemAt(reader, at - 1).end;
  const { prep, lead } = wordAt(reader, at - 1);
  return (prep ?? lead) !== undefined && reader.text.slice(end, start).trim() === '';
}

/** "Les absences du mois dernier": things that are of that time, not a part of it. */
const isPlural = (reader: Reader, start: number): boolean =>
  reader.words.isPlural(reader.text.slice(Math.max(0, start - 5), start + REACH));
