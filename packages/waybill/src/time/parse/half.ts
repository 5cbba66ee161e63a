/** What stands beside a phrase and shows that it is only half of one: better no answer than that half. */
import type { Fields } from '../fields.js';
import { NOTHING } from './lexicon.js';
import type { Found } from './outcome.js';
import { isSeparator } from './dates.js';
import { readNumericDate } from './figures.js';
import { readIso } from './iso.js';
import { readLength } from './length.js';
import { readMoment, skipLinks } from './moment.js';
import { isCounted, isUnknown, itemAt, markAt, wordAt, type Reader } from './reader.js';

export function isHalf(reader: Reader, { start, end, fields }: Found): boolean {
  return (
    isTurned(reader, start, end, fields) ||
    isNegative(reader, start) ||
    isSecondCount(reader, start) ||
    isShare(reader, start) ||
    isSecond(reader, start) ||
    hasSecond(reader, end) ||
    isNoClock(reader, start - 3) ||
    goesOn(reader, end) ||
    hasNoDate(reader, end)
  );
}

/** "El pasado 3 de marzo", "le 3 mars dernier": the date is read, and which one of its like is not. */
function isTurned(reader: Reader, start: number, end: number, fields: Fields | undefined): boolean {
  if (fields?.day === undefined || fields.turn) return false;
  const before = wordAt(reader, wordAt(reader, start - 1).skip ? start - 2 : start - 1);
  const behind = wordAt(reader, end);
  return before.rel === -1 || (behind.rel === -1 && behind.post === true);
}

/** "-3 days ago": a sign, not a dash between two things. */
function isNegative(reader: Reader, start: number): boolean {
  const sign = itemAt(reader, start - 1);
  return sign.mark === '-' && !sign.glued && itemAt(reader, start).glued && readLength(reader, start) !== undefined;
}

/** "2 or 3 days ago", "2-3 days ago". */
function isSecondCount(reader: Reader, start: number): boolean {
  const { or, to, and } = wordAt(reader, start - 1);
  const sign = itemAt(reader, start - 1);
  // 1,5 years: the comma of a decimal, of thousands, or of 2、3.
  const inside = (sign.mark === ',' || sign.mark === '.') && sign.glued && itemAt(reader, start).glued;
  if (!(or ?? to ?? and) && !inside && sign.mark !== '-' && sign.mark !== '~') return false;
  const { num, word } = itemAt(reader, start - 2);
  return (num ?? word.num ?? word.unit) !== undefined && readLength(reader, start) !== undefined;
}

const joins = (reader: Reader, at: number): boolean => {
  const { and, or } = wordAt(reader, at);
  const mark = markAt(reader, at);
  return (and ?? or) === true || mark === '/' || mark === '&' || mark === '+' || mark === '・' || mark === '、';
};

/** "2 and 3 May", "May or June", "this and next week", "5/6 mai": the one before it was passed over. */
function isSecond(reader: Reader, start: number): boolean {
  const first = itemAt(reader, start);
  // "Room 5, March" has nothing between; "5 March" would have been read together.
  if (first.word.month !== undefined && itemAt(reader, start - 1).num !== undefined && joins(reader, start - 2)) return true;
  // "Mondays in March"
  if (wordAt(reader, start - 1).prep && wordAt(reader, start - 2).weekday !== undefined && wordAt(reader, start - 2).plural) return true;
  const link = wordAt(reader, start - 1).skip ? start - 2 : start - 1;
  if (!joins(reader, link)) return false;
  const before = itemAt(reader, link - 1);
  if (before.num !== undefined || before.word.ordSuffix || markAt(reader, link - 1) === '.') return first.num !== undefined;
  const { month, weekday, rel, day, unit } = before.word;
  return (month ?? weekday ?? day) !== undefined || (rel !== undefined && unit === undefined);
}

/** "March 10 and 11", "KW 12 und 13", "this week and next". */
function hasSecond(reader: Reader, end: number): boolean {
  const link = markAt(reader, end) === ',' ? end : joins(reader, end) ? end : undefined;
  if (link === undefined) return false;
  const next = skipLinks(reader, link + 1);
  const { num, digits, word } = itemAt(reader, next);
  const isNumbered = itemAt(reader, end - 1).num !== undefined || wordAt(reader, end - 1).ordSuffix || wordAt(reader, end - 1).daySuffix;
  if (num !== undefined && digits <= 2 && isNumbered) return !isCounted(reader, next + 1) && !isUnknown(reader, next + 1);
  if (markAt(reader, end) === ',') return false;
  // "In a week or two"
  if (wordAt(reader, end).or && (num ?? word.num) !== undefined && wordAt(reader, end - 1).unit !== undefined) return true;
  return word.rel !== undefined && (wordAt(reader, next + 1).unit ?? wordAt(reader, next + 1).weekday) === undefined;
}

/** "Half of 2025"; 一个半小时前, of which 半小时前 is not what was said. */
function isShare(reader: Reader, start: number): boolean {
  const { unit } = wordAt(reader, start - 1).of ? wordAt(reader, start - 2) : NOTHING;
  const { measure, num } = wordAt(reader, start - 1);
  const { vague, edge } = wordAt(reader, start - 1).of ? wordAt(reader, start - 2) : NOTHING;
  if ((vague ?? edge) !== undefined) return true;
  // "A week tomorrow"
  if (wordAt(reader, start - 1).unit === 'week' && (wordAt(reader, start).day ?? 0) > 0) return true;
  return unit === 'half' || unit === 'quarter' || (wordAt(reader, start).num === 0.5 && (measure === true || num !== undefined));
}

/** "Yesterday or today", "the last 7 days including today", "today, at the end of the afternoon", "Friday week", "yesterday at 25:00". */
function goesOn(reader: Reader, end: number): boolean {
  const { or, unit, plural } = wordAt(reader, end);
  const mark = markAt(reader, end);
  if (or || mark === '/' || mark === '&' || mark === '+') {
    const next = skipLinks(reader, end + 1);
    return readMoment(reader, next) !== undefined || readMoment(reader, end + 1) !== undefined || readLength(reader, next) !== undefined;
  }
  // "Il y a un an et demi".
  if (wordAt(reader, end).behind) return true;
  const { weekday, day } = wordAt(reader, end - 1);
  if (unit === 'week' && !plural && (weekday ?? day) !== undefined) return true;
  const next = skipLinks(reader, end);
  const { vague, edge, at, each, spoils } = wordAt(reader, next);
  // "The last day of every month", "Q2 of the financial year".
  if (next > end && spoils === true) return true;
  if (wordAt(reader, end).of && (each || (wordAt(reader, next).unit !== undefined && wordAt(reader, next + 1).spoils === true)))
    return true;
  // "The Tuesday after Easter"
  const { bound, off } = wordAt(reader, end);
  if ((bound ?? off) !== undefined && (wordAt(reader, end + 1).vague ?? wordAt(reader, end + 1).spoils)) return true;
  if ((vague ?? edge) !== undefined && isAboutTime(reader, skipLinks(reader, next + 1))) return true;
  return isNoClock(reader, at ? next + 1 : next);
}

/** Also "excluding weekends". */
function isAboutTime(reader: Reader, at: number): boolean {
  const { unit, weekday } = wordAt(reader, at);
  return (unit ?? weekday) !== undefined || readMoment(reader, at) !== undefined;
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
  // Of a longer chain of figures it is no date: a range of two dates, an address.
  const inChain = (place: number, figure: number): boolean => markAt(reader, place) === mark && itemAt(reader, figure).num !== undefined;
  if ((first.glued && inChain(at - 1, at - 2)) || (itemAt(reader, at + 5).glued && inChain(at + 5, at + 6))) return false;
  const digits = [first.digits, itemAt(reader, at + 2).digits, itemAt(reader, at + 4).digits].sort();
  return digits[0] !== 0 && (digits[1] ?? 0) <= 2 && digits[2] === 4;
}
