/** Dates by name and number: 3 March 2015, March 3rd, 2015年3月3日, 03/04/2026 in the locale's order, the 15th, 2015. */
import type { Fields } from '../fields.js';
import { civilYear } from '../years.js';
import { ROMANCE } from './compact.js';
import { GAP } from './lex.js';
import { isCapital, isEnd, isCount, isCounted, isSum, itemAt, markAt, readNumber, readOrdinal, wordAt, type Reader } from './reader.js';

export const isSeparator = (mark: string): boolean => mark === '/' || mark === '-' || mark === '.';

/** Something that makes the number before it a count or an hour, not a date. */
export function continues(reader: Reader, at: number): boolean {
  const { word, mark, glued } = itemAt(reader, at);
  if (mark === ':' || mark === '%') return glued;
  return (word.unit !== undefined && !word.daySuffix && !word.monthSuffix) || word.oclock === true || word.meridiem !== undefined;
}

const SIGN = /^[€$£¥#]$/;

/** "Over 2000 orders", "in 1500 stores": rather a count than a year, unless something of the year stands before it. */
function isRound(reader: Reader, at: number): boolean {
  const { num = 0 } = itemAt(reader, at);
  const { month, label, quarter, half, unit } = wordAt(reader, at - 1);
  if (!isCounted(reader, at + 1) || (month ?? label ?? quarter ?? half ?? unit ?? itemAt(reader, at - 1).num) !== undefined) return false;
  return num < 1900 || num > 2099 || num % 100 === 0;
}

/** A year of four digits, or any with the word for year behind it, or an era's. */
export function readYear(reader: Reader, at: number): number | undefined {
  const { num, digits, word } = itemAt(reader, at);
  if (word.era !== undefined) return reader.joined?.readEra(reader, at);
  if (num === undefined) return undefined;
  if (wordAt(reader, at + 1).yearSuffix) {
    if (num < 10 && digits === 2) {
      reader.end = at + 2;
      return civilYear(reader.when, num);
    }
    if (num < 100 || wordAt(reader, at + 2).ago !== undefined) return undefined;
    reader.end = at + 2;
    return civilYear(reader.when, num);
  }
  if (isSum(reader, at + 1) || isRound(reader, at) || SIGN.test(markAt(reader, at - 1))) return undefined;
  const labels = wordAt(reader, at + 1).label !== undefined && itemAt(reader, at + 2).num !== undefined;
  if (digits !== 4 || num < 1000 || num > 2999 || (continues(reader, at + 1) && !labels)) return undefined;
  // The 1970s are no year.
  const next = itemAt(reader, at + 1);
  if (next.glued && next.mark === '' && !labels) return undefined;
  reader.end = at + 1;
  return civilYear(reader.when, num);
}

/** Behind a day and month also two digits: 18 Juli 14. Commas, "of" and separators may stand between. */
function readYearBehind(reader: Reader, at: number): number | undefined {
  let next = at;
  for (let skipped = 0; skipped < 2; skipped++) {
    const { mark, word, glued } = itemAt(reader, next);
    if (mark === ',' || (isSeparator(mark) && glued && itemAt(reader, next + 1).glued) || word.of || word.prep) next++;
  }
  const year = readYear(reader, next);
  if (year !== undefined) return year;
  const { num, digits } = itemAt(reader, next);
  // "March 10/11", "18 July 14 orders"
  const isLast = isEnd(reader, next + 1) && !/[/:.%]/.test(markAt(reader, next + 1));
  if (num === undefined || digits !== 2 || !(isLast || isShortened(reader, next))) return undefined;
  if (next > at && !isSeparator(markAt(reader, at)) && !wordAt(reader, at).of) return undefined;
  // "July 13-15" are days, 13-Jul-15 has a year.
  if (markAt(reader, at) === '-' && markAt(reader, at - 2) !== '-') return undefined;
  reader.end = next + 1;
  return civilYear(reader.when, num);
}

/** 3月5个订单, "im Mai 5 Rechnungen": where a month goes before its day only in English, a plain number with something behind it is a count. */
function isCountOf(reader: Reader, month: number): boolean {
  const { end, when } = reader;
  if (when.locale.language === 'en' || wordAt(reader, end - 1).daySuffix || itemAt(reader, end - 1).num === undefined) return false;
  return end - 1 === month && (isCount(reader, end) || wordAt(reader, end).measure === true);
}

/** '25: the apostrophe stands for a century. */
function isShortened(reader: Reader, at: number): boolean {
  const { digits, start } = itemAt(reader, at);
  return digits === 2 && reader.text.charAt(start - 1) === "'";
}

/** 15, 15th, fifteenth, 15日, "le 15", "día 15". `plain`: a mere number will do. */
export function readDay(reader: Reader, at: number, plain: boolean): number | undefined {
  const mark = wordAt(reader, at).dayMark;
  const marked = mark !== undefined;
  const from = marked ? at + 1 : at;
  const ordinal = readOrdinal(reader, from);
  if (ordinal !== undefined) {
    const { daySuffix, unit, weekday, label, measure } = wordAt(reader, reader.end);
    if (daySuffix || unit === 'day') reader.end++;
    // "October, first Monday": an ordinal before anything but a day counts that.
    else if ((unit ?? weekday ?? label) !== undefined || measure || wordAt(reader, from).ordMark) return undefined;
    return ordinal <= 31 ? ordinal : undefined;
  }
  const value = readNumber(reader, from);
  if (value === undefined || value < 1 || value > 31 || wordAt(reader, from).article) return undefined;
  // 三月的两个星期五
  if (isSum(reader, reader.end) || wordAt(reader, reader.end).measure) return undefined;
  const suffix = wordAt(reader, reader.end);
  // 1月-3月
  if (suffix.monthSuffix && !suffix.daySuffix && itemAt(reader, from).num !== undefined) return undefined;
  if (suffix.daySuffix) {
    reader.end++;
    // 3日連続
    if (isSum(reader, reader.end)) return undefined;
    const { ago, weak } = wordAt(reader, reader.end);
    // 3日前 is three days ago, 3号前 and 4月3日前 are before the third.
    const isDate = ago === undefined || weak || suffix.unit === undefined || wordAt(reader, from - 1).monthSuffix;
    return isDate ? value : undefined;
  }
  // 三月三 is a feast, and 三月三日 a day.
  if (reader.joined && !suffix.to && reader.text.charCodeAt(itemAt(reader, from).start) > NINE) return undefined;
  return (mark === 'any' || plain) && !continues(reader, reader.end) && !isFigures(reader, reader.end) ? value : undefined;
}

/** The last of the digits; Han numerals come far behind it. */
const NINE = 57;

/** In "le 31/10" the number is only the first of a date in figures. */
function isFigures(reader: Reader, at: number): boolean {
  const [separator, next] = [itemAt(reader, at), itemAt(reader, at + 1)];
  return isSeparator(separator.mark) && separator.glued && next.glued && next.num !== undefined && separator.mark !== '-';
}

function readMonth(reader: Reader, at: number): number | undefined {
  const { num, word } = itemAt(reader, at);
  if (word.month !== undefined) {
    reader.end = at + 1;
    return word.month;
  }
  // 前两月 are the last two months.
  if (num === undefined || num < 1 || num > 12 || !wordAt(reader, at + 1).monthSuffix || Math.abs(wordAt(reader, at - 1).rel ?? 0) === 1)
    return undefined;
  reader.end = at + 2;
  return num;
}

/** Between the parts of one date: of, a comma, a separator without spaces, an article. */
function skipLinks(reader: Reader, at: number): number {
  let next = at;
  for (let skipped = 0; skipped < 2; skipped++) {
    const { word, mark, glued } = itemAt(reader, next);
    if (word.of || (word.skip && word.num === undefined) || mark === ',' || (isSeparator(mark) && glued && itemAt(reader, next + 1).glued))
      next++;
  }
  return next;
}

export function readNamedDate(reader: Reader, at: number): Fields | undefined {
  return readMonthFirst(reader, at) ?? readDayFirst(reader, at) ?? readYearFirst(reader, at);
}

function readMonthFirst(reader: Reader, at: number): Fields | undefined {
  const month = readMonth(reader, at);
  if (month === undefined) return undefined;
  const end = reader.end;
  const { weak: isWeak, small } = wordAt(reader, at);
  const weak = isWeak ?? (small && !isCapital(reader, itemAt(reader, at).start));
  const day = isShortened(reader, end) ? undefined : readDay(reader, skipLinks(reader, end), true);
  if (day !== undefined && !isCountOf(reader, end)) return withYear(reader, { month, day });
  reader.end = end;
  return withYear(reader, weak ? { month, weak } : { month });
}

function withYear(reader: Reader, date: Fields): Fields {
  const end = reader.end;
  const year = readYearBehind(reader, end);
  if (year === undefined) {
    reader.end = end;
    return date;
  }
  return date.day === undefined ? { month: date.month ?? 1, year } : { month: date.month ?? 1, day: date.day, year };
}

function readDayFirst(reader: Reader, at: number): Fields | undefined {
  const day = readDay(reader, at, true);
  if (day === undefined) return undefined;
  const dayEnd = reader.end;
  const month = readMonth(reader, skipLinks(reader, dayEnd));
  if (month !== undefined) return withYear(reader, { month, day });
  return readDayAlone(reader, at);
}

/** "The 15th", "am 15.", "25日", "le 17 02"; a mere number or ordinal is none. */
function readDayAlone(reader: Reader, at: number): Fields | undefined {
  const day = readDay(reader, at, false);
  if (day === undefined || isSerial(reader, at + 1)) return undefined;
  const end = reader.end;
  const marked = wordAt(reader, at).dayMark !== undefined;
  const dotted = markAt(reader, end - 1) === '.';
  if (!marked && (dotted || !(wordAt(reader, end - 1).ordSuffix || wordAt(reader, end - 1).daySuffix))) return undefined;
  if (marked && itemAt(reader, at + 1).num !== undefined) {
    const { num, digits } = itemAt(reader, end);
    if (num !== undefined && num >= 1 && num <= 12 && digits <= 2 && end === at + 2 && !continues(reader, end + 1)) {
      reader.end = end + 1;
      return withYear(reader, { month: num, day });
    }
  }
  // "The first" of something that is not known, "o 13º salário".
  const { ord, ordSuffix } = wordAt(reader, end - 1);
  const isNth = ord !== undefined || (ordSuffix === true && day > 1 && ROMANCE.has(reader.when.locale.language));
  if (isNth && itemAt(reader, end) === GAP && end < reader.items.length) return undefined;
  // "The first" of what? A unit, weekday or count behind it makes it an ordinal.
  const { unit, weekday, part, num } = wordAt(reader, end);
  const suffixed = wordAt(reader, end - 1).daySuffix === true;
  if (!suffixed && (unit ?? weekday ?? part ?? num) !== undefined) return undefined;
  reader.end = end;
  // "Le 3" is a day, "le troisième" rather the third of something.
  const inFigures = wordAt(reader, at).dayMark === 'any' && (wordAt(reader, end - 1).ord ?? 1) === 1;
  return suffixed || inFigures ? { day } : { day, weak: true };
}

/** 06 12 34 56 78: a number to be called. */
function isSerial(reader: Reader, at: number): boolean {
  return [1, 2, 3].every((step) => itemAt(reader, at + step).num !== undefined);
}

function readYearFirst(reader: Reader, at: number): Fields | undefined {
  const year = readYear(reader, at);
  if (year === undefined) return undefined;
  const end = reader.end;
  const suffixed = end > at + 1;
  const month = readMonth(reader, skipLinks(reader, end));
  if (month === undefined) {
    const { label } = wordAt(reader, skipLinks(reader, end));
    const { num = 0 } = itemAt(reader, skipLinks(reader, end) + 1);
    reader.end = skipLinks(reader, end) + 2;
    if (label === 'quarter' && num >= 1 && num <= 4) return { year, quarter: num };
    if (label === 'half' && num >= 1 && num <= 2) return { year, half: num };
    reader.end = end;
    return suffixed ? { year } : { year, weak: true };
  }
  const monthEnd = reader.end;
  const day = readDay(reader, skipLinks(reader, monthEnd), true);
  if (day !== undefined) return { year, month, day };
  reader.end = monthEnd;
  return { year, month };
}
