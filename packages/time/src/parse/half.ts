/** Finds words that show that only half of a phrase was read. No answer is better than half of one. */
import type { Fields } from '../fields.js';
import { NOTHING } from './lexicon.js';
import type { Found } from './outcome.js';
import { isSeparator } from './dates.js';
import { readNumericDate } from './figures.js';
import { readIso } from './iso.js';
import { readLength } from './length.js';
import { readMoment, skipLinks } from './moment.js';
import { blames, itemAt, markAt, wordAt, type Reader } from './reader.js';
import { isBeside } from './beside.js';
import { isOneOfSeveral } from './several.js';

export function isHalf(reader: Reader, found: Found): boolean {
  const { start, end, fields } = found;
  if (isBeside(reader, found)) return true;
  if (isOneOfSeveral(reader, start, end)) return blames(reader, 'several', start, end + 1);
  if (isTurned(reader, start, end, fields) || isNegative(reader, start) || isShare(reader, start))
    return blames(reader, 'beside', start - 1);
  if (isNoClock(reader, start - 3)) return blames(reader, 'impossible', start - 3, start);
  if (goesOn(reader, end)) return blames(reader, 'beside', end);
  return hasNoDate(reader, end) && blames(reader, 'impossible', 0, end);
}

/** "El pasado 3 de marzo", "le 3 mars dernier": the date is read, and which one of its like is not. */
function isTurned(reader: Reader, start: number, end: number, fields: Fields | undefined): boolean {
  if (fields?.day === undefined || fields.turn) return false;
  const before = wordAt(reader, wordAt(reader, start - 1).skip ? start - 2 : start - 1);
  const behind = wordAt(reader, end);
  // "Ça s'est passé le 30 juin": where the word goes behind its noun, it says nothing of what follows.
  const leads = before.rel === -1 && (!before.post || before.pre === true);
  return leads || (behind.rel === -1 && behind.post === true);
}

/** "-3 days ago": a sign, not a dash between two things. */
function isNegative(reader: Reader, start: number): boolean {
  const sign = itemAt(reader, start - 1);
  return sign.mark === '-' && !sign.glued && itemAt(reader, start).glued && readLength(reader, start) !== undefined;
}

/** Folding parts ½ into two numbers around this. */
const FRACTION = '\u2044';

/** "Half of 2025"; 一个半小时前, of which 半小时前 is not what was said. */
function isShare(reader: Reader, start: number): boolean {
  const { of, measure, num, unit } = wordAt(reader, start - 1);
  const whole = of ? wordAt(reader, start - 2) : NOTHING;
  if ((whole.vague ?? whole.edge) !== undefined || whole.unit === 'half' || whole.unit === 'quarter') return true;
  // 2½
  if (markAt(reader, start - 1) === FRACTION) return true;
  // "A week tomorrow"
  if (unit === 'week' && (wordAt(reader, start).day ?? 0) > 0) return true;
  return wordAt(reader, start).num === 0.5 && (measure === true || num !== undefined);
}

/** "Yesterday or today", "the last 7 days including today", "today, at the end of the afternoon", "Friday week", "yesterday at 25:00". */
function goesOn(reader: Reader, end: number): boolean {
  const { or, unit, plural } = wordAt(reader, end);
  // "Last week or the week before", "on March 5 or later"
  if (or) return true;
  if (/^[/&+・、]$/.test(markAt(reader, end))) {
    const next = skipLinks(reader, end + 1);
    return (readMoment(reader, next) ?? readMoment(reader, end + 1) ?? readLength(reader, next)) !== undefined;
  }
  // Portuguese "de hoje a oito dias"
  if (wordAt(reader, end).to && readLength(reader, end + 1)?.ms === 0) return true;
  // "Il y a un an et demi".
  if (wordAt(reader, end).behind) return true;
  const { weekday, day } = wordAt(reader, end - 1);
  if (unit === 'week' && !plural && (weekday ?? day) !== undefined) return true;
  const next = skipLinks(reader, end);
  const { at, each, spoils } = wordAt(reader, next);
  // "The last day of every month", "Q2 of the financial year".
  if (next > end && spoils === true) return true;
  if (wordAt(reader, end).of && (each || (wordAt(reader, next).unit !== undefined && wordAt(reader, next + 1).spoils === true)))
    return true;
  // "The Tuesday after Easter"
  const { bound, off } = wordAt(reader, end);
  if ((bound ?? off) !== undefined && (wordAt(reader, end + 1).vague ?? wordAt(reader, end + 1).spoils)) return true;
  return isNoClock(reader, at ? next + 1 : next);
}

/** 25:00, 12:75, 25 Uhr, 13pm: written like a time of the day, and none. */
function isNoClock(reader: Reader, at: number): boolean {
  const { num, digits } = itemAt(reader, at);
  if (num === undefined || digits > 2 || isSeparator(markAt(reader, at - 1))) return false;
  const next = itemAt(reader, at + 1);
  if (next.word.oclock ?? next.word.meridiem) return true;
  return next.mark === ':' && next.glued && itemAt(reader, at + 2).glued && itemAt(reader, at + 2).digits === 2;
}

/** 2026-13-01 up to the end of the phrase or right behind it: three figures that a year makes a date, of a day that does not exist. */
function hasNoDate(reader: Reader, end: number): boolean {
  for (let at = 0; at <= end; at++) if (isTriple(reader, at) && !readIso(reader, at) && !readNumericDate(reader, at)) return true;
  return false;
}

function isTriple(reader: Reader, at: number): boolean {
  const first = itemAt(reader, at);
  const mark = markAt(reader, at + 1);
  if (first.num === undefined || !isSeparator(mark) || markAt(reader, at + 3) !== mark) return false;
  for (let next = at + 1; next < at + 5; next++) if (!itemAt(reader, next).glued) return false;
  // Three figures inside a longer chain (two dates, an address) are no date.
  const inChain = (place: number, figure: number): boolean => markAt(reader, place) === mark && itemAt(reader, figure).num !== undefined;
  if ((first.glued && inChain(at - 1, at - 2)) || (itemAt(reader, at + 5).glued && inChain(at + 5, at + 6))) return false;
  const digits = [first.digits, itemAt(reader, at + 2).digits, itemAt(reader, at + 4).digits].sort();
  return digits[0] !== 0 && (digits[1] ?? 0) <= 2 && digits[2] === 4;
}
